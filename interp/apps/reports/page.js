const facts = JSON.parse(document.getElementById("facts").textContent);
/* The maps of each reduction by its name: the first are drawn at once, others when they are asked for, or when there is time. */
class Pictures extends Map {
  constructor(reductions) {
    super();
    this.waiting = new Map(reductions.map(reduction => [reduction.name, reduction]));
  }

  get(name) {
    if (this.waiting.has(name)) {
      const reduction = this.waiting.get(name), section = document.getElementById(`reduction/${name}`);
      this.waiting.delete(name);
      const home = section.querySelector(".element");
      home.hidden = false;
      const chosen = new Chosen(reduction, home);
      chosen.maps = new Maps(reduction, section.querySelector(".pictures"), (element, shown) => chosen.show(element, shown));
      this.set(name, chosen.maps);
    }
    return super.get(name);
  }

  next() {
    const [name] = this.waiting.keys();
    if (name === undefined) return;
    this.get(name);
    (window.requestIdleCallback ?? setTimeout)(() => this.next());
  }
}
const maps = new Pictures(facts.reductions.filter(reduction => reduction.maps));
maps.next();
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
addEventListener("beforeprint", () => {
  for (const name of [...maps.waiting.keys()]) maps.get(name);
  document.querySelectorAll("details").forEach(details => details.open = true);
});
