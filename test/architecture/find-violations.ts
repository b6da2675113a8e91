import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import { RULES, TEST_FILES } from './dependency-rules.js';
import { circularImports, type Import, NO_CIRCULAR } from './folder-cycles.js';
import { FOLDER_ORDER, importsUpwards } from './folder-order.js';

const projectRoot = join(import.meta.dirname, '../..');

const PARENTS = ['packages', 'apps', 'tools'];

export interface Violation {
  readonly rule: string;
  readonly from: string;
  readonly to: string;
}

/** Checks all imports under packages/, apps/ and tools/. */
export async function findViolations(folder: string): Promise<{ readonly checkedFiles: number; readonly violations: readonly Violation[] }> {
  const { output } = await cruise(
    PARENTS,
    {
      baseDir: folder,
      // Reads the same language without the TypeScript compiler's API, and includes type imports.
      parser: 'swc',
      tsPreCompilationDeps: true,
      combinedDependencies: false,
      // Builds, which other tests start, replace these folders during the check.
      exclude: { path: '^(packages|apps|tools)/[^/]+/(dist|bundle|pages)(/|$)' },
      doNotFollow: { path: ['node_modules', '^\\.\\.'] },
      validate: true,
      ruleSet: RULES,
      // Otherwise half of the time would go to cycles of files, orphans and dependents, which no rule needs.
      skipAnalysisNotInRules: true,
    },
    {
      extensions: ['.ts', '.tsx', '.js', '.json'],
      extensionAlias: { '.js': ['.ts', '.tsx', '.js'] },
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
      alias: sourcesOfWorkspaces(),
    },
  );
  const { modules, summary } = output as ICruiseResult;
  const imports = importsOf(modules);
  return {
    checkedFiles: modules.filter((module) => /^(packages|apps|tools)\//u.test(module.source)).length,
    violations: [
      ...summary.violations.map((violation) => ({ rule: violation.rule.name, from: violation.from, to: violation.to })),
      ...circularImports(imports).map((circular) => ({ rule: NO_CIRCULAR, ...circular })),
      ...importsUpwards(imports).map((upwards) => ({ rule: FOLDER_ORDER, ...upwards })),
    ],
  };
}

/** Imports of all modules that are not tests. */
function importsOf(modules: ICruiseResult['modules']): readonly Import[] {
  const tests = new RegExp(TEST_FILES, 'u');
  return modules.filter(({ source }) => !tests.test(source))
    .flatMap(({ source, dependencies }) => dependencies.map(({ resolved }) => ({ from: source, to: resolved })));
}

/** Source folder of each workspace by package name, so that nothing needs to be built. */
function sourcesOfWorkspaces(): Record<string, string> {
  const folders = PARENTS.flatMap((parent) => readdirSync(join(projectRoot, parent)).map((name) => ({ parent, name })));
  return {
    ...Object.fromEntries(folders.map(({ parent, name }) => [`@tollgate/${name}$`, join(projectRoot, parent, name, 'src/index.ts')])),
    '#locale': join(projectRoot, 'apps/dashboard/src/locale/en.ts'),
    '#texts': join(projectRoot, 'apps/dashboard/src/texts/en'),
    '@tollgate/adapters-memory/limits$': join(projectRoot, 'packages/adapters-memory/src/limits.ts'),
    '@tollgate/testkit/issuer-server$': join(projectRoot, 'packages/testkit/src/servers/issuer-server.ts'),
    '@tollgate/testkit/mail-server$': join(projectRoot, 'packages/testkit/src/servers/mail-server.ts'),
    '@tollgate/testkit/pdf-reader$': join(projectRoot, 'packages/testkit/src/documents/pdf-reader.ts'),
    '@tollgate/testkit/stripe-server$': join(projectRoot, 'packages/testkit/src/servers/stripe-server.ts'),
    '@tollgate/testkit/programs$': join(projectRoot, 'packages/testkit/src/programs.ts'),
  };
}
