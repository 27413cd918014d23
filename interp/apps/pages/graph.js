/* The graph of the program: one stop of the tab key, arrow keys along its edges, one description shown. */
class Graph {
  constructor(home) {
    this.home = home;
    this.canvas = home.querySelector(".canvas");
    this.nodes = [...home.querySelectorAll(".node")];
    this.abouts = [...home.querySelectorAll(".about")];
    this.edges = [...home.querySelectorAll(".edge")];
    home.querySelector("svg").addEventListener("keydown", event => this.key(event));
    this.nodes.forEach((node, k) => node.addEventListener("click", event => {
      event.preventDefault();
      this.choose(k);
      history.replaceState(null, "", node.getAttribute("href"));
    }));
    this.choose(Number(home.dataset.worst ?? 0));
  }

  /* The node that a name of a value is in, -1 if none is. */
  find(name) {
    return this.abouts.findIndex(about => about.id === `op/${name}` || about.dataset.names.split("\n").includes(name));
  }

  choose(k) {
    this.at = k;
    this.nodes.forEach((node, n) => {
      node.setAttribute("tabindex", n === k ? 0 : -1);
      node.classList.toggle("chosen", n === k);
      this.abouts[n].classList.toggle("chosen", n === k);
      if (n === k) node.setAttribute("aria-current", "true"); else node.removeAttribute("aria-current");
    });
    for (const edge of this.edges) edge.classList.toggle("near", [edge.dataset.above, edge.dataset.below].includes(String(k)));
    const { canvas } = this, box = this.nodes[k].getBoundingClientRect(), frame = canvas.getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right) canvas.scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
    if (box.top < frame.top || box.bottom > frame.bottom) canvas.scrollTop += (box.top + box.bottom - frame.top - frame.bottom) / 2;
  }

  /* The nearest node among some: as many of them as there are. */
  nearest(some) {
    const x = Number(this.nodes[this.at].dataset.at);
    return some.sort((a, b) => Math.abs(this.nodes[a].dataset.at - x) - Math.abs(this.nodes[b].dataset.at - x))[0];
  }

  key(event) {
    const at = String(this.at), rank = this.nodes[this.at].dataset.rank, x = Number(this.nodes[this.at].dataset.at);
    const beside = side => this.nearest(this.nodes.flatMap((node, k) =>
      node.dataset.rank === rank && Math.sign(node.dataset.at - x) === side ? [k] : []));
    const moves = {
      ArrowUp: () => this.nearest(this.edges.filter(edge => edge.dataset.below === at).map(edge => Number(edge.dataset.above))),
      ArrowDown: () => this.nearest(this.edges.filter(edge => edge.dataset.above === at).map(edge => Number(edge.dataset.below))),
      ArrowLeft: () => beside(-1), ArrowRight: () => beside(1), Home: () => 0, End: () => this.nodes.length - 1,
      PageUp: () => Math.max(0, this.at - 1), PageDown: () => Math.min(this.nodes.length - 1, this.at + 1),
    };
    if (!(event.key in moves)) return;
    const to = moves[event.key]();
    if (to !== undefined) {
      this.choose(to);
      this.nodes[to].focus({ preventScroll: true });
    }
    event.preventDefault();
  }
}
const graph = document.querySelector(".graph") ? new Graph(document.querySelector(".graph")) : null;
