import { execFileSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const TEST = /\.test\.tsx?$/;

/** Files of a checkout that differ from its last commit, without removed ones. */
export function changedFiles(folder) {
  const options = { cwd: folder, encoding: 'utf8' };
  const changed = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', '--relative', 'HEAD'], options);
  const added = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], options);
  return `${changed}${added}`.split('\n').filter((file) => file !== '');
}

/** The tests of files, beside them: `x.test.ts` and `x.aspect.test.ts` test `x.ts`. Paths are relative to the folder. */
export function testsOf(files, folder) {
  const tests = files.flatMap((file) => {
    if (TEST.test(file)) return [file];
    const [name] = basename(file).split('.');
    return globSync(join(dirname(file), `${name}.{test,*.test}.{ts,tsx}`), { cwd: folder });
  });
  return [...new Set(tests)];
}
