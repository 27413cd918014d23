"""Parts of pages that load nothing: the program as a graph, profiles of layers, histograms, styles and scripts."""
