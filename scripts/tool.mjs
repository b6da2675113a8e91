import { join } from 'node:path';
import { buildDashboardWhenStale, buildWhenStale } from './bootstrap/built.mjs';
import { asksForHelp, endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { chromium, provideProgram, redisServer } from './bootstrap/provisions.mjs';
import { root, runOnPinnedNode } from './bootstrap/run.mjs';
import { FOR_TESTS } from './bootstrap/scopes.mjs';

const BROWSER_USAGE = `npm run browser -- [options]

Tries the built dashboard in a real Chromium, on a gateway of its own: the checks of docs/browser.md, one after the other.
Installs and builds what is missing. The exit code is 1 if a check fails.

  --only 3,4     these checks, by their numbers
  --list         names the checks
  --json         the results as JSON; what comes before goes to standard error
  --serve        runs no checks: keeps a gateway with a month of requests open, for work on the pages, until Ctrl-C;
                 the port is chosen freely unless PORT is set
  --help         prints this
`;

const SCREENSHOTS_USAGE = `npm run screenshots -- [options]

Takes pictures of the pages of the dashboard, as owners and operators see them, and of what can lie over pages.
Writes them with a contact sheet, index.html. If the folder holds pictures of an earlier run with the same browser and
fonts, the command compares the new ones with them first; the exit code is 1 if one differs.

  --state NAMES     what the pages show, separated by commas, or all:
                    usual    a month of requests
                    empty    the first day, without requests, keys and credit
                    large    50,000 requests, 900 customers, 199 keys, 24 models
                    long     names, references and reasons as long as they may be
                    rtl      names, references and reasons from right to left
                    error    every request of the page fails
                    loading  no request of the page is answered
                    further  dialogs, drawers, and pages that are partly empty, failed or filled
                    usual,error,loading,further unless given
  --scheme NAMES    light, dark or all
  --width WIDTHS    390, 1280, 1920 or all; without --scheme and --width, each state has looks of its own, 390 and 1280
  --language de     pages in German, in the states that need no act on the page
  --only TEXT       pictures whose names contain this; several, separated by commas
  --draw N          N of the pictures, drawn by the seed; of all states, schemes and widths unless these are given
  --seed TEXT       of the draw; the commit unless given
  --list            names the pictures without taking them
  --out FOLDER      where they go; data/screenshots unless given
  --help            prints this
`;

const TOOLS = {
  bench: { program: 'bench/dist/main.js' },
  chaos: { program: 'chaos/dist/main.js', needs: needsRedis() ? redisServer : null },
  feed: { program: 'chaos/dist/feed/main.js' },
  clients: { program: 'peers/dist/clients-main.js' },
  servers: { program: 'peers/dist/servers-main.js' },
  contract: { program: 'peers/dist/contract-main.js' },
  siege: { program: 'siege/dist/main.js' },
  browser: {
    program: 'browser/dist/main.js', needs: process.argv.includes('--serve') ? null : chromium, dashboard: true,
    usage: BROWSER_USAGE, options: { only: { type: 'string' }, list: { type: 'boolean' }, json: { type: 'boolean' }, serve: { type: 'boolean' } },
  },
  screenshots: {
    program: 'browser/dist/pictures/main.js', needs: chromium, dashboard: true,
    usage: SCREENSHOTS_USAGE, options: Object.fromEntries([...['state', 'scheme', 'width', 'language', 'only', 'draw', 'seed', 'out'].map((option) => [option, { type: 'string' }]), ['list', { type: 'boolean' }]]),
  },
};

function needsRedis() {
  return !asksForHelp() && !/--setup[= ](?:sqlite|none)/.test(process.argv.join(' '));
}

// Removes the tool's name, so that its own arguments remain in `process.argv`.
const [name] = process.argv.splice(2, 1);
const tool = TOOLS[name];

await endWith(async () => {
  if (tool === undefined) throw new Error(`There is no tool ${name}; there are ${Object.keys(TOOLS).join(', ')}.`);
  const { program, needs = null, dashboard = false, usage, options } = tool;
  if (usage !== undefined && readOptions(usage, { options }) === null) return 0;
  await installDependencies(FOR_TESTS);
  if (needs !== null) await provideProgram(needs);
  await buildWhenStale(FOR_TESTS);
  if (dashboard) await buildDashboardWhenStale();
  return runOnPinnedNode([join(root, 'tools', program), ...process.argv.slice(2)]);
});
