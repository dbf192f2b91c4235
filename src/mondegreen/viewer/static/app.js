// Keyboard shortcuts, density, IPA, the voice, slices that come later, and the playground.
// The rest is plain HTML from the server.

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

const facets = document.querySelector("#facets");
if (facets && matchMedia("(min-width: 62rem)").matches) facets.open = true;

const density = document.querySelector("#density");
function setDensity(compact) {
  document.body.classList.toggle("compact", compact);
  density.setAttribute("aria-pressed", String(compact));
  localStorage.setItem("density", compact ? "compact" : "");
}
if (density) {
  setDensity(localStorage.getItem("density") === "compact");
  density.addEventListener("click", () =>
    setDensity(!document.body.classList.contains("compact")),
  );
}

async function waitForCauses(section) {
  for (;;) {
    const answer = await fetch(section.dataset.pending);
    if (answer.status === 200) {
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      section.replaceWith(page.querySelector("#causes"));
      return;
    }
    await new Promise((done) => setTimeout(done, 1000));
  }
}
const pending = document.querySelector("#causes[data-pending]");
if (pending) waitForCauses(pending);

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

for (const word of document.querySelectorAll(".seek")) {
  word.addEventListener("click", () => {
    const audio = document.querySelector("audio");
    audio.currentTime = Number(word.dataset.start);
    audio.play();
  });
}

function copyButtons(root) {
  for (const button of root.querySelectorAll(".copy")) {
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.parentElement.querySelector("pre").textContent);
      button.textContent = "Copied";
    });
  }
}
copyButtons(document);

const play = document.querySelector("#play");
if (play) {
  let waiting;
  let request = 0;
  const refresh = async () => {
    const mine = ++request;
    const address = `/try?${new URLSearchParams(new FormData(play))}`;
    const answer = await fetch(address);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (mine !== request) return;
    document.querySelector("#made").replaceWith(page.querySelector("#made"));
    copyButtons(document.querySelector("#made"));
    history.replaceState(null, "", address);
  };
  play.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(refresh, 250);
  });
  play.addEventListener("submit", (event) => {
    event.preventDefault();
    refresh();
  });
}
