import { build } from './bootstrap/built.mjs';
import { endWith } from './bootstrap/end.mjs';
import { installDependencies } from './bootstrap/installed.mjs';

await endWith(async () => {
  await installDependencies();
  return build();
});
