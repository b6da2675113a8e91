import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { SEVERAL_GATEWAYS, type SeveralGateways, type SeveralListening } from './several-gateways.js';

/** What this program needs of a compiled gateway, whichever checkout it is of. */
interface GatewayModule {
  createGateway(environment: Readonly<Record<string, string | undefined>>): Promise<{ readonly url: string }>;
}

const given = process.env[SEVERAL_GATEWAYS];
if (given === undefined) throw new Error(`${SEVERAL_GATEWAYS} is not set`);
const { root, environments } = JSON.parse(given) as SeveralGateways;
const compiled = await import(pathToFileURL(join(root, 'apps/gateway/dist/index.js')).href) as GatewayModule;

const ports: number[] = [];
for (const environment of environments) {
  const { url } = await compiled.createGateway({ ...process.env, ...environment });
  ports.push(Number(new URL(url).port));
}
const message: SeveralListening = { ports };
process.send?.(message);
