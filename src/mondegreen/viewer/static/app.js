// Keyboard shortcuts, the IPA button, the synthetic voice. The rest is plain HTML from the server.

const rows = () => [...document.querySelectorAll("#list tbody .open")];

function move(step) {
  const links = rows();
  const at = links.indexOf(document.activeElement);
  const next = links[Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function follow(relation) {
  document.querySelector(`a[rel="${relation}"]`)?.click();
}

const listed = document.querySelector("#list") !== null;
const keys = {
  j: () => (listed ? move(1) : follow("next")),
  k: () => (listed ? move(-1) : follow("prev")),
  u: () => follow("up"),
  "/": () => document.querySelector("#search")?.focus(),
};

document.addEventListener("keydown", (event) => {
  const typing = event.target.closest("input, select, textarea");
  if (typing && event.key === "Escape") typing.blur();
  if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const action = keys[event.key];
  if (action) {
    event.preventDefault();
    action();
  }
});

for (const control of document.querySelectorAll(".filters select, .filters input[type=checkbox]")) {
  control.addEventListener("change", () => control.form.requestSubmit());
}

const alphabet = document.querySelector("#alphabet");
function showAlphabet(ipa) {
  document.body.classList.toggle("show-ipa", ipa);
  alphabet?.setAttribute("aria-pressed", String(ipa));
  localStorage.setItem("alphabet", ipa ? "ipa" : "arpabet");
}
if (alphabet) {
  showAlphabet(localStorage.getItem("alphabet") === "ipa");
  alphabet.addEventListener("click", () =>
    showAlphabet(!document.body.classList.contains("show-ipa")),
  );
}

const speak = document.querySelector("#speak");
speak?.addEventListener("click", async () => {
  const status = document.querySelector("#spoken");
  status.textContent = "loading…";
  const answer = await fetch(speak.dataset.address);
  if (!answer.ok) {
    status.textContent = await answer.text();
    return;
  }
  const voice = new Audio(URL.createObjectURL(await answer.blob()));
  status.textContent = "";
  await voice.play();
});
