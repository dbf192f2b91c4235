// Shows how many questions are left, and saves the answers as CSV.
const sheet = document.querySelector("#sheet");
const items = [...sheet.querySelectorAll("fieldset")].map((one) => one.id);
const parts = ["slots", "intent", "natural"];
const answer = (item, part) => new FormData(sheet).get(`${item}.${part}`) ?? "";
sheet.addEventListener("change", () => {
  const left = items.filter((item) => !parts.every((part) => answer(item, part))).length;
  document.querySelector("#left").textContent = left ? `${left} left to answer` : "all answered";
});
sheet.addEventListener("submit", (event) => {
  event.preventDefault();
  const rows = items.map((item) => [item, ...parts.map((part) => answer(item, part))].join(","));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([[["item", ...parts].join(","), ...rows, ""].join("\n")]));
  link.download = "answers.csv";
  link.click();
});
