import { spawnSync } from 'node:child_process';
import { outputOf } from '../bootstrap/run.mjs';

/** Time until the container is killed, longer than the gateway waits for running requests by default. */
const STOP_SECONDS = 40;

/**
 * A running container of the image.
 * @typedef {object} Container
 * @property {string} url where its gateway listens, on this machine
 * @property {(command: readonly string[]) => { status: number | null, stdout: string, stderr: string }} exec runs a command beside the gateway
 * @property {() => Promise<number>} stop sends SIGTERM and resolves to the gateway's exit code; 137 where it had to be killed
 * @property {() => void} remove removes it with its data
 */

/**
 * Starts a container as docs/operations.md says: a read-only root file system, no capabilities, a volume for /data.
 * @returns {Promise<Container>}
 */
export async function startByEngine({ name }, tag) {
  const id = outputOf(name, ['run', '--detach', '--read-only', '--cap-drop', 'all', '--security-opt', 'no-new-privileges', '--publish', '127.0.0.1::8080', tag]);
  const remove = () => spawnSync(name, ['rm', '--force', '--volumes', id], { stdio: 'ignore' });
  try {
    const [address] = outputOf(name, ['port', id, '8080/tcp']).split('\n');
    return {
      url: `http://${address}`,
      exec: (command) => spawnSync(name, ['exec', id, ...command], { encoding: 'utf8' }),
      stop: async () => {
        outputOf(name, ['stop', '--time', String(STOP_SECONDS), id]);
        return Number(outputOf(name, ['inspect', '--format', '{{.State.ExitCode}}', id]));
      },
      remove,
    };
  } catch (error) {
    remove();
    throw error;
  }
}
