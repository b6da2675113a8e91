import { runBench } from './run-bench.js';

const INTERRUPTED = 130;

// Leaving ends every process of the bench; see runBench.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(INTERRUPTED));

try {
  const code = await runBench(process.argv.slice(2), {
    out: (text) => process.stdout.write(text),
    progress: (text) => process.stderr.write(`${text}\n`),
  });
  process.exit(code);
} catch (thrown) {
  process.stderr.write(`${thrown instanceof Error ? thrown.message : String(thrown)}\n`);
  process.exit(1);
}
