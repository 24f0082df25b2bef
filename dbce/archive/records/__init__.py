"""The parts of archives: containers, members, records and answers, and what their headers declare."""
