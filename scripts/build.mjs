import { build, buildDashboardWhenStale } from './bootstrap/built.mjs';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/dependencies.mjs';
import { FOR_START, FOR_TESTS } from './bootstrap/scopes.mjs';

const USAGE = `npm run build -- [options]

Installs what is missing, compiles what has changed, bundles the programs, and builds the dashboard.

  --programs   only the gateway, the command line and the dashboard, with what they need, as npm start does
  --help       prints this
`;

await endWith(async () => {
  const given = readOptions(USAGE, { options: { programs: { type: 'boolean' } } });
  if (given === null) return 0;
  const scope = given.values.programs ? FOR_START : FOR_TESTS;
  await installDependencies(scope);
  const code = await build(scope);
  return code === 0 ? buildDashboardWhenStale() : code;
});
