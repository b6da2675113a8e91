import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

const TEST = /\.test\.tsx?$/;

/** Files of a checkout that differ from its last commit, except removed files. */
export function changedFiles(folder) {
  const options = { cwd: folder, encoding: 'utf8' };
  const changed = execFileSync('git', ['diff', '--name-only', '--diff-filter=d', '--relative', 'HEAD'], options);
  const added = execFileSync('git', ['ls-files', '--others', '--exclude-standard'], options);
  return `${changed}${added}`.split('\n').filter((file) => file !== '');
}

/** Tests of these files, in the same folders: `x.test.ts` and `x.aspect.test.ts` test `x.ts`. Paths are relative to `folder`. */
export function testsOf(files, folder) {
  const tests = files.flatMap((file) => {
    if (TEST.test(file)) return [file];
    const [name] = basename(file).split('.');
    const beside = readdirSync(join(folder, dirname(file))).filter((entry) => entry.startsWith(`${name}.`) && TEST.test(entry));
    return beside.map((entry) => join(dirname(file), entry));
  });
  return [...new Set(tests)];
}
