import { build, buildDashboardWhenStale } from './bootstrap/built.mjs';
import { endWith, readOptions } from './bootstrap/command-line.mjs';
import { installDependencies } from './bootstrap/provisions.mjs';

const USAGE = `npm run build

Installs what is missing, compiles what has changed, and builds the dashboard. It takes no options but --help.
`;

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  await installDependencies();
  const code = await build();
  return code === 0 ? buildDashboardWhenStale() : code;
});
