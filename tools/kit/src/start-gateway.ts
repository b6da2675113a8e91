import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Child } from './child.js';

const READY = /Tollgate listening on http:\/\/127\.0\.0\.1:(\d+)/;

export interface StartOptions {
  /** The root of the checkout whose compiled gateway is started. */
  readonly root: string;
  /** Takes its database and its log. */
  readonly folder: string;
  /** Settings besides the database and the port, which is any free one. */
  readonly environment: Readonly<Record<string, string>>;
  /** Descriptors that its process may open; `null` leaves the machine's own limit. */
  readonly descriptorLimit: number | null;
}

export interface StartedGateway {
  readonly port: number;
  readonly child: Child;
  readonly logFile: string;
  readonly databaseUrl: string;
}

/** Starts the compiled gateway with the flags of `npm start`, in production mode and on a database of its own. Resolves once it listens. */
export async function startGateway(options: StartOptions): Promise<StartedGateway> {
  const { folder, environment } = options;
  mkdirSync(folder, { recursive: true });
  const logFile = join(folder, 'gateway.log');
  const databaseUrl = `sqlite:${join(folder, 'data', 'tollgate.db')}`;
  const child = Child.start({
    ...commandOf(options), name: 'the gateway', folder, logFile,
    environment: { ...configOf(options).environment, NODE_ENV: 'production', PORT: '0', DATABASE_URL: databaseUrl, ...environment },
  });
  const [, port] = await child.printed(READY);
  return { port: Number(port), child, logFile, databaseUrl };
}

/** What `npm start` gives to Node; another checkout has its own. */
interface GatewayConfig {
  readonly nodeFlags?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
}

function configOf({ root }: StartOptions): GatewayConfig {
  const manifest = JSON.parse(readFileSync(join(root, 'apps/gateway/package.json'), 'utf8')) as { readonly config?: GatewayConfig };
  return manifest.config ?? {};
}

/** Runs the program as `npm start` does, under a limit of descriptors where one is set. */
function commandOf(options: StartOptions): { readonly command: string; readonly argv: readonly string[] } {
  const { root, descriptorLimit } = options;
  const program = [process.execPath, ...configOf(options).nodeFlags ?? [], join(root, 'apps/gateway/dist/main.js')];
  const limited = descriptorLimit === null ? '' : `ulimit -n ${descriptorLimit}; `;
  return { command: 'sh', argv: ['-c', `${limited}exec "$@"`, 'sh', ...program] };
}
