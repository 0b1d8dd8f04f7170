/** Before all tests: have the package play the rounds that the page proves, and write them to a file. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

const ROOT = join(import.meta.dirname, "../..");

export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), "queenhigh-"));
  const file = join(folder, "data.json");
  execFileSync(join(ROOT, ".venv/bin/python"), ["-m", "tests.page_data", file], {
    cwd: ROOT,
    stdio: ["ignore", "inherit", "inherit"],
  });
  project.provide("file", file);
  project.provide("rounds", process.env["QUEENHIGH_TRAINER_ROUNDS"] ?? "");
  return () => rmSync(folder, { recursive: true });
}
