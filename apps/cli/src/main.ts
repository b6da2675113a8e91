#!/usr/bin/env node
import { askAtTerminal, systemUser, terminalColumns } from './program/terminal.js';
import { partWriter } from './program/part-writer.js';
import { runTollgate } from './run-tollgate.js';

const columns = terminalColumns({ stdout: process.stdout, environment: process.env });

process.exitCode = await runTollgate(
  process.argv.slice(2),
  { environment: process.env, folder: process.cwd(), userName: systemUser() },
  {
    out: (text) => process.stdout.write(text),
    outPart: partWriter(process.stdout),
    error: (text) => process.stderr.write(text),
    ...(columns === null ? {} : { columns }),
    ...(process.stderr.isTTY ? { progress: (text) => void process.stderr.write(`${text}\n`) } : {}),
    ...(process.stdin.isTTY && process.stderr.isTTY ? { ask: (question) => askAtTerminal(question, process) } : {}),
  },
);
