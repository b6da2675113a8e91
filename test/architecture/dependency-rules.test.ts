import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { RULES } from './dependency-rules.js';
import { findViolations, type Violation } from './find-violations.js';
import { NO_CIRCULAR } from './folder-cycles.js';
import { FOLDER_ORDER } from './folder-order.js';

const projectRoot = join(import.meta.dirname, '../..');

test('no source in the project breaks a dependency rule', async () => {
  const { checkedFiles, violations } = await findViolations(projectRoot);
  expect(violations).toEqual([]);
  expect(checkedFiles).toBeGreaterThan(12);
});

test('the check leaves out what builds write, because a build may replace it meanwhile', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'dependency-rules-'));
  try {
    for (const path of ['packages/one/src', 'packages/one/dist', 'apps/one/src/pages', 'apps/one/bundle', 'apps/one/pages/assets', 'tools/one/dist/pages']) {
      mkdirSync(join(folder, path), { recursive: true });
      writeFileSync(join(folder, path, 'file.js'), '');
    }
    expect(await findViolations(folder)).toEqual({ checkedFiles: 2, violations: [] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** Per rule: the canary that violates it, or the workspace whose `src/canary.ts` does, and the forbidden modules that the canary imports. */
const CANARIES: readonly (readonly [rule: string, file: string, forbidden: readonly string[]])[] = [
  ['core-imports-only-big-js', 'packages/core', ['crypto', 'express', 'zod', '@tollgate/wire-kit', '@tollgate/identity', 'a-package-nobody-installed']],
  ['identity-imports-only-core-and-tldts', 'packages/identity', ['crypto', '@tollgate/wire-kit', '@tollgate/adapters-memory', 'big.js']],
  ['json-text-imports-only-node', 'packages/json-text', ['@tollgate/core', '@tollgate/wire-kit', 'yaml']],
  ['wire-kit-imports-only-core-and-json-text', 'packages/wire-kit', ['http', 'kysely', '@tollgate/wire-chat']],
  ['wire-chat-imports-only-core-and-wire-kit', 'packages/wire-chat', ['@tollgate/wire-messages', '@tollgate/adapters-memory', 'buffer', 'zod']],
  ['wire-messages-imports-only-core-json-text-and-wire-kit', 'packages/wire-messages', ['@tollgate/wire-chat', '@tollgate/adapters-sqlite', 'zod']],
  ['wire-responses-imports-only-core-json-text-and-wire-kit', 'packages/wire-responses', ['@tollgate/wire-chat', '@tollgate/adapters-node', 'crypto']],
  ['api-contract-imports-only-core-and-zod', 'packages/api-contract', ['@tollgate/wire-kit', 'http']],
  ['adapters-memory-imports-only-core-and-identity', 'packages/adapters-memory', ['@tollgate/adapters-sqlite', '@tollgate/wire-kit', 'kysely']],
  ['sql-common-imports-only-core-identity-and-kysely', 'packages/sql-common', ['@tollgate/adapters-sqlite', '@tollgate/wire-chat', 'better-sqlite3', 'pg']],
  ['adapters-sqlite-imports-only-sql-common-and-its-driver', 'packages/adapters-sqlite', ['@tollgate/adapters-memory', '@tollgate/adapters-postgres', 'pg']],
  ['adapters-postgres-imports-only-sql-common-and-its-driver', 'packages/adapters-postgres', ['@tollgate/adapters-sqlite', '@tollgate/wire-chat', 'undici']],
  ['database-drivers-are-loaded-with-their-database', 'apps/cli', ['@tollgate/adapters-sqlite']],
  ['adapters-redis-imports-only-core-and-its-driver', 'packages/adapters-redis', ['@tollgate/adapters-memory', '@tollgate/wire-chat', 'undici']],
  ['adapters-mail-imports-only-core-identity-and-its-driver', 'packages/adapters-mail', ['@tollgate/adapters-memory', 'smtp-server']],
  ['mail-is-loaded-at-its-first-delivery', 'packages/adapters-mail', ['nodemailer']],
  ['adapters-pdf-imports-only-core-and-its-libraries', 'packages/adapters-pdf', ['@tollgate/adapters-memory', 'undici']],
  ['pdf-libraries-are-loaded-in-their-thread', 'packages/adapters-pdf', ['pdfkit', 'fontkit']],
  ['adapters-stripe-imports-only-core-and-its-library', 'packages/adapters-stripe', ['@tollgate/adapters-memory', 'undici']],
  ['payments-are-loaded-at-their-first-use', 'packages/adapters-stripe', ['stripe']],
  ['adapters-sign-in-imports-only-core-identity-and-its-protocols', 'packages/adapters-sign-in', ['@tollgate/adapters-node', 'jose']],
  ['sign-in-libraries-are-loaded-at-their-first-use', 'packages/adapters-sign-in', ['@simplewebauthn/server', 'openid-client', 'otpauth']],
  ['adapters-node-imports-only-core-and-identity', 'packages/adapters-node', ['@tollgate/adapters-memory', 'undici']],
  ['adapters-config-imports-only-core-identity-and-its-parsers', 'packages/adapters-config', ['@tollgate/adapters-node', 'pino']],
  ['catalogue-parser-is-loaded-with-its-file', 'packages/adapters-config', ['yaml']],
  ['adapters-upstream-imports-only-core-json-text-and-its-driver', 'packages/adapters-upstream', ['@tollgate/wire-messages', '@tollgate/adapters-config']],
  ['testkit-imports-only-core-and-identity', 'packages/testkit', ['@tollgate/adapters-memory', '@tollgate/cli']],
  ['packages-never-import-an-app', 'packages/testkit', ['@tollgate/cli']],
  ['apps-never-import-another-app', 'apps/cli', ['@tollgate/gateway']],
  ['apps-never-import-another-app', 'apps/gateway', ['@tollgate/cli']],
  [NO_CIRCULAR, 'apps/gateway', ['apps/gateway/src/circle/importer.ts']],
  ['packages-and-apps-never-import-a-tool', 'apps/gateway', ['@tollgate/siege']],
  ['kit-imports-no-package', 'tools/kit', ['@tollgate/core']],
  ['siege-and-peers-import-only-the-testkit', 'tools/siege', ['@tollgate/core']],
  ['siege-and-peers-import-only-the-testkit', 'tools/peers', ['@tollgate/core']],
  ['tools-start-apps-and-import-none', 'tools/chaos', ['@tollgate/cli']],
  ['tools-share-only-their-kit', 'tools/siege', ['@tollgate/bench', '@tollgate/chaos']],
  ['server-lives-in-the-gateway', 'apps/cli', ['express']],
  ['container-lives-in-the-gateway-and-composition', 'apps/cli', ['inversify', 'reflect-metadata']],
  ['composition-imports-only-core-identity-adapters-node-and-its-container', 'packages/composition', ['@tollgate/adapters-memory', 'crypto']],
  ['dashboard-imports-only-libraries-of-its-pages', 'apps/dashboard', ['@tollgate/core', 'zod']],
  ['dashboard-knows-types-of-the-contract-alone', 'apps/dashboard', ['@tollgate/api-contract']],
  ['sources-never-import-the-testkit', 'apps/cli', ['@tollgate/testkit']],
  ['contracts-need-no-test-runner', 'packages/testkit/src/contracts/canary.ts', ['@jest/globals', 'fast-check']],
  ['tools-import-only-the-testkit-of-programs', 'tools/chaos', ['@tollgate/testkit']],
  ['sources-never-import-test-files', 'apps/cli', ['apps/cli/src/canary.test.ts']],
  ['sources-import-only-declared-dependencies', 'apps/cli', ['yaml', 'express', 'inversify', 'reflect-metadata']],
];

const WORKSPACES = ['packages', 'apps', 'tools'].flatMap((parent) => readdirSync(join(projectRoot, parent)).map((name) => `${parent}/${name}`))
  .filter((workspace) => existsSync(join(projectRoot, workspace, 'src')));

describe('a dependency rule', () => {
  let violations: readonly Violation[] = [];
  beforeAll(async () => {
    ({ violations } = await findViolations(join(projectRoot, 'test/canaries')));
  });

  test.each(CANARIES)('reports the forbidden imports of its canary: %s in %s', (rule, workspace, forbidden) => {
    const file = workspace.endsWith('.ts') ? workspace : `${workspace}/src/canary.ts`;
    const caught = violations.filter((violation) => violation.rule === rule && violation.from === file);
    expect(caught.map((violation) => moduleName(violation.to)).toSorted()).toEqual([...forbidden].toSorted());
  });

  test.each([['packages/core', 'money', 'billing'], ['packages/identity', 'mail', 'people']])('reports the forbidden import of its canary: folder-order in %s', (workspace, lower, upper) => {
    const caught = violations.filter(({ rule, from }) => rule === FOLDER_ORDER && from.startsWith(`${workspace}/`));
    expect(caught).toEqual([{ rule: FOLDER_ORDER, from: `${workspace}/src/${lower}/importer.ts`, to: `${workspace}/src/${upper}/imported.ts` }]);
  });

  test.each(WORKSPACES)('reports the circular imports of its canary, of values and of types: no-circular in %s', (workspace) => {
    const circular = violations.filter(({ rule, from }) => rule === NO_CIRCULAR && from.startsWith(`${workspace}/src/`));
    const caught = circular.flatMap(({ from, to }) => (circlePart(from) === null ? [] : [`${circlePart(from)} → ${circlePart(to)}`]));
    expect(caught.toSorted()).toEqual(['first/imports-second → second/imports-first', 'second/imports-first → first/imports-second']);
  });

  test('has a canary: a forbidden import that the rule must report', () => {
    const watched = new Set(CANARIES.map(([rule]) => rule));
    expect([NO_CIRCULAR, ...(RULES.forbidden ?? []).map((rule) => rule.name)].filter((name) => name === undefined || !watched.has(name))).toEqual([]);
  });
});

/** Part of the path below the canary's folder `circle`; `null` for any other file. */
function circlePart(path: string): string | null {
  return /\/circle\/((?:first|second)\/[^.]+)\.ts$/u.exec(path)?.[1] ?? null;
}

function moduleName(path: string): string {
  const workspace = /^(?:\.\.\/)+(?:packages|apps|tools)\/([^/]+)\/src\/(?:index|main)\.ts$/u.exec(path)?.[1];
  if (workspace !== undefined) return `@tollgate/${workspace}`;
  return /node_modules\/(?:@types\/)?((?:@[^/]+\/)?[^/]+)\//u.exec(path)?.[1] ?? path;
}
