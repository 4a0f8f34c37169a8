// Loads the page's model outside a browser, and the recordings of a page.
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { createServer } from "vite";

const vite = await createServer({
  configFile: false, root: fileURLToPath(new URL("..", import.meta.url)), logLevel: "error",
  server: { middlewareMode: true, ws: false }, optimizeDeps: { noDiscovery: true },
});
export const load = (name) => vite.ssrLoadModule(`/src/model/${name}.ts`);
export const close = () => vite.close();

// modelOf returns a page's recording in its columns; id is "recording" or "recording-b".
export async function modelOf(path, id = "recording") {
  const { inflate } = await load("decode");
  const found = new RegExp(`<script[^>]* id="${id}"[^>]*>([^<]*)<`).exec(readFileSync(path, "utf8"));
  if (!found) throw new Error(`${path} has no ${id}`);
  return inflate(found[1]);
}
