const maps = new Map();
const facts = JSON.parse(document.getElementById("facts").textContent);
facts.reductions.forEach(reduction => {
  if (!reduction.maps) return;
  const section = document.getElementById(`reduction/${reduction.name}`);
  const home = section.querySelector(".element");
  home.hidden = false;
  const chosen = new Chosen(reduction, home);
  chosen.maps = new Maps(reduction, section.querySelector(".pictures"), (element, name) => chosen.show(element, name));
  maps.set(reduction.name, chosen.maps);
});
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = document.getElementById(button.dataset.from);
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
  });
}
addEventListener("beforeprint", () => document.querySelectorAll("details").forEach(details => details.open = true));
