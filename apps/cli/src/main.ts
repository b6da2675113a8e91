import { userInfo } from 'node:os';
import { runTollgate } from './program/run-tollgate.js';

process.exitCode = await runTollgate(
  process.argv.slice(2),
  { environment: process.env, folder: process.cwd(), userName: userInfo().username },
  { out: (text) => process.stdout.write(text), error: (text) => process.stderr.write(text) },
);
