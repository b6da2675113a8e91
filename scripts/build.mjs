import { build } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';
import { readOptions } from './bootstrap/options.mjs';

const USAGE = `npm run build

Installs what is missing and compiles what has changed. It takes no options but --help.
`;

await endWith(async () => {
  if (readOptions(USAGE) === null) return 0;
  await installDependencies();
  return build();
});
