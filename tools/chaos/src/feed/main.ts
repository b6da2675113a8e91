import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeWorkingFolder, renderTable, runTool, type Terminal } from '@tollgate/kit';
import { FEED_HELP, readFeedOptions } from './feed-options.js';
import { type FeedRound, runFeedRound } from './feed-round.js';

const HEADING = ['reader', 'read', 'missed', 'doubled', 'unknown', 'disordered'];
/** Maximum number of violations that are printed; the JSON has all. */
const SHOWN_VIOLATIONS = 30;

function renderRound({ database, events, held, acknowledged, readers, naive, seconds, writersKilled, gatewaysKilled, violations }: FeedRound): string {
  const rows = [...readers, ...naive === null ? [] : [naive]].map(({ reader, ...counts }) => [
    reader, ...[counts.read, counts.missed, counts.doubled, counts.unknown, counts.disordered].map(String),
  ]);
  const verdict = violations.length === 0 ? 'No violation.' : `${violations.length} violations:\n${violations.slice(0, SHOWN_VIOLATIONS).map((text) => `  ${text}\n`).join('')}`;
  return `\n${database}\n${renderTable([HEADING, ...rows])}${events} events, ${held} of them of transactions kept open; ${acknowledged} acts of money confirmed; ${writersKilled} writers and ${gatewaysKilled} gateways killed; ${Math.round(seconds)} s.\n${verdict}\n`;
}

/** Runs the rounds; resolves with the exit code. Keeps the working folder if there are violations. */
async function runFeed(argv: readonly string[], terminal: Terminal): Promise<number> {
  const reading = readFeedOptions(argv, Math.floor(Date.now() / 1000));
  if (reading.outcome !== 'run') {
    terminal.out(reading.outcome === 'help' ? FEED_HELP : `${reading.problem}\n\n${FEED_HELP}`);
    return reading.outcome === 'help' ? 0 : 2;
  }
  const { databases, events, seed, jsonFile } = reading.options;
  const folder = makeWorkingFolder('feed');
  terminal.progress(`Seed ${seed}.`);
  const rounds: FeedRound[] = [];
  for (const name of databases) {
    const round = await runFeedRound({ name, folder: join(folder, name), events, seed, progress: terminal.progress });
    terminal.out(renderRound(round));
    rounds.push(round);
  }
  if (jsonFile !== null) writeFileSync(jsonFile, `${JSON.stringify({ seed, rounds }, null, 2)}\n`);
  if (rounds.some(({ violations }) => violations.length > 0)) {
    terminal.out(`The logs are kept in ${folder}\n`);
    return 1;
  }
  rmSync(folder, { recursive: true });
  return 0;
}

await runTool(runFeed);
