"""What binding a body needs: locals, the place in the sources, and where bindings go."""
