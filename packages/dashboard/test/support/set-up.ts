/** What the page needs of a browser, and every test of it of the library that looks at it. */
import { configure } from "@testing-library/react";

// A slow machine must not fail a test: this only catches what hangs.
configure({ asyncUtilTimeout: 30_000 });
