// Runs a program for wasm32-wasip1 with Node: node run.mjs PROGRAM.wasm ARGUMENTS...
//
// The program gets standard input, output and stderr, and nothing else: no files, no environment variables, no network.

import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const args = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args, env: {}, returnOnExit: true });
const { instance } = await WebAssembly.instantiate(await readFile(args[0]), wasi.getImportObject());
process.exitCode = wasi.start(instance);
