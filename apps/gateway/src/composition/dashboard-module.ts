import { ContainerModule } from 'inversify';
import {
  type Clock, type IdGenerator, type PasswordHasher, type PersonRecords, PAY_AS_YOU_GO, type SecretTokens, type SessionRecords, StoredPeople, StoredSessions,
} from '@tollgate/core';
import { bindService } from './bind-service.js';
import type { DashboardPorts } from '../dashboard/call/dashboard-ports.js';
import { lazyDashboard } from '../dashboard/lazy-dashboard.js';
import { PublicAddress } from '../dashboard/call/public-address.js';
import type { GatewaySettings } from './foundation.js';
import { services } from './services.js';

interface PeopleNeeds {
  readonly settings: GatewaySettings;
  readonly records: PersonRecords;
  readonly hasher: PasswordHasher;
  readonly tokens: SecretTokens;
  readonly ids: IdGenerator;
}

interface SessionNeeds {
  readonly settings: GatewaySettings;
  readonly address: PublicAddress;
  readonly people: PersonRecords;
  readonly sessions: SessionRecords;
  readonly hasher: PasswordHasher;
  readonly tokens: SecretTokens;
  readonly ids: IdGenerator;
}

type DashboardNeeds = Omit<DashboardPorts, 'rules'> & { readonly settings: GatewaySettings; readonly clock: Clock };

/** People, their sessions, and the routes that they use with a browser. */
export const dashboardModule = new ContainerModule(({ bind }) => {
  const { settings, ids, clock, passwordHasher: hasher, secretTokens: tokens } = services;
  bindService(bind, services.publicAddress, {
    needs: { settings },
    make: ({ settings: { dashboard } }: { readonly settings: GatewaySettings }) => new PublicAddress(dashboard),
  });
  bindService(bind, services.people, {
    needs: { settings, records: services.personRecords, hasher, tokens, ids },
    make: ({ settings: { dashboard }, ...parts }: PeopleNeeds) => new StoredPeople({ ...parts, signUp: dashboard.signUp, planId: PAY_AS_YOU_GO }),
  });
  bindService(bind, services.sessions, {
    needs: { settings, address: services.publicAddress, people: services.personRecords, sessions: services.sessionRecords, hasher, tokens, ids },
    make: ({ settings: { dashboard }, address, ...parts }: SessionNeeds) =>
      new StoredSessions({ ...parts, secondFactor: dashboard.secondFactor, cookie: address.cookieForm }),
  });
  bindService(bind, services.dashboard, {
    needs: {
      settings, clock, address: services.publicAddress, people: services.people, sessions: services.sessions, accounts: services.accounts,
      catalogue: services.catalogue, platform: services.platform, unbilled: services.unbilled, bodies: services.bodies,
    },
    make: ({ settings: { dashboard }, ...ports }: DashboardNeeds) => lazyDashboard({ ...ports, rules: dashboard }),
  });
});
