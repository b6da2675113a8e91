import { type NetworkProxy, type PostgresServer, startNetworkProxy } from '@tollgate/testkit/programs';
import { viewPostgres } from '../books/database-view.js';
import type { RoundOptions } from './fault-round.js';
import { FaultWorld } from './fault-world.js';
import { startServer } from './standby.js';

interface PostgresWorld {
  readonly world: FaultWorld;
  readonly server: PostgresServer;
  /** The faulty network between gateways and server. */
  readonly network: NetworkProxy;
  /** URL of the database that leads through the faulty network. */
  readonly throughNetwork: string;
}

/** Creates a world on a new PostgreSQL server, which gateways can reach through a faulty network. */
export async function onPostgres(options: RoundOptions): Promise<PostgresWorld> {
  const server = await startServer(options);
  const network = await startNetworkProxy(server.socket);
  options.defer(() => network.stop());
  const world = await FaultWorld.create({ ...options, databaseUrl: server.url(), view: viewPostgres(server.url()) });
  return { world, network, server, throughNetwork: `postgresql://tollgate@127.0.0.1:${network.port}/postgres` };
}
