import { build } from './bootstrap/built.mjs';
import { buildDashboardWhenStale } from './bootstrap/dashboard-built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { readOptions } from './bootstrap/options.mjs';

const USAGE = `npm run build

Installs what is missing, compiles what has changed, and builds the dashboard. It takes no options but --help.
`;

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  await installDependencies();
  const code = await build();
  return code === 0 ? buildDashboardWhenStale() : code;
});
