"""Parts of HTML pages that load nothing: graphs of programs, profiles of layers, styles and scripts."""
