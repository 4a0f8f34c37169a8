import { mount } from "svelte";
import App from "./App.svelte";
import "./page.css";
import { decode, inflate } from "./model/decode";
import type { Recording } from "./model/recording";
import { Page } from "./page.svelte";

async function read(id: string): Promise<Recording | null> {
  const element = document.getElementById(id);
  if (!element) return null;
  const model = await inflate(element.textContent ?? "");
  element.remove();
  return decode(model);
}

const target = document.getElementById("page")!;
try {
  const recording = await read("recording");
  if (!recording) throw new Error("the page holds no recording: make it with planflame report --format html");
  mount(App, { target, props: { page: new Page(recording, await read("recording-b")) } });
  performance.mark("planflame-open");
} catch (err) {
  target.textContent = `planflame: ${err instanceof Error ? err.message : err}`;
}
