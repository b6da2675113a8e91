import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { outputOf } from '../bootstrap/run.mjs';

const STOP_MILLISECONDS = 40_000;
const KILLED = 137;

/** In a mount namespace: the image's root file system, read-only, with a folder for /data. Uses exec, so that signals reach the gateway. */
const ENTER = `set -e
root=$1 data=$2 user=$3; shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount --bind "$data" "$root/data"
mount --rbind /dev "$root/dev"
mount --rbind /proc "$root/proc"
mount -o remount,bind,ro "$root"
exec chroot --userspec="$user" "$root" "$@"`;

/**
 * Starts the program of an image by the image's own configuration, on a machine where no engine can run containers: buildah mounts the
 * image, and chroot runs its entry point as its user. Network and processes are those of the machine. Needs root.
 * @returns {Promise<import('./start-by-engine.mjs').Container>}
 */
export async function startByChroot({ name }, tag) {
  if (process.getuid?.() !== 0) throw new Error(`The image is built. To run it for the checks, ${name} needs root, or use podman.`);
  const { config } = JSON.parse(outputOf(name, ['inspect', '--type', 'image', tag])).OCIv1;
  const [user] = config.User.split(':');
  const container = outputOf(name, ['from', '--pull-never', tag]);
  const data = mkdtempSync(join(tmpdir(), 'tollgate-image-'));
  const remove = () => {
    spawnSync(name, ['rm', container], { stdio: 'ignore' });
    rmSync(data, { recursive: true, force: true });
  };
  try {
    chownSync(data, Number(user), Number(user));
    const port = await freePort();
    const inside = (command) => ['env', '--ignore-environment', `--chdir=${config.WorkingDir}`, ...config.Env, 'HOST=127.0.0.1', `PORT=${port}`, 'LOG_LEVEL=warn', ...command];
    const child = spawn('unshare', ['--mount', 'sh', '-c', ENTER, 'sh', outputOf(name, ['mount', container]), data, config.User, ...inside(config.Entrypoint)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const exit = once(child, 'exit');
    return {
      url: `http://127.0.0.1:${port}`,
      exec: (command) => spawnSync('nsenter', [`--target=${child.pid}`, '--mount', '--root', `--setuid=${user}`, `--setgid=${user}`, ...inside(command)], { encoding: 'utf8' }),
      stop: () => stop(child, exit),
      remove: () => {
        child.kill('SIGKILL');
        remove();
      },
    };
  } catch (error) {
    remove();
    throw error;
  }
}

async function stop(child, exit) {
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MILLISECONDS);
  child.kill('SIGTERM');
  const [code] = await exit;
  clearTimeout(timer);
  return code ?? KILLED;
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}
