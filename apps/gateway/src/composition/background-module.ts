import { ContainerModule } from 'inversify';
import { type Clock, QueuedMailer, type QueuedMailerPorts } from '@tollgate/core';
import { Background, type BackgroundParts } from './background.js';
import { DeletionRunner, type DeletionRunnerPorts } from '../background/deletion-runner.js';
import { LeaseKeeper, type LeaseKeeperPorts } from '../background/lease-keeper.js';
import { MailDelivery, type MailDeliveryPorts } from '../background/mail-delivery.js';
import { Reconciler, type ReconcilerPorts } from '../background/reconciler.js';
import { Sweeper, type SweeperPorts } from '../background/sweeper.js';
import { TrafficMetrics } from '../observability/metrics/traffic-metrics.js';
import { bindService } from './bind-service.js';
import type { GatewaySettings, MailRoute } from './foundation.js';
import { services } from './services.js';

interface TrafficNeeds {
  readonly settings: GatewaySettings;
  readonly clock: Clock;
}

type MailNeeds = Omit<MailDeliveryPorts, keyof MailRoute> & { readonly mail: MailRoute };

type MailerNeeds = Omit<QueuedMailerPorts, 'onStored'> & { readonly delivery: MailDelivery };

/** What runs beside the requests, and what is measured of them. */
export const backgroundModule = new ContainerModule(({ bind }) => {
  const { log, clock, ledger, idempotency, running, processId } = services;
  bindService(bind, services.traffic, {
    needs: { settings: services.settings, clock },
    make: (needs: TrafficNeeds) => (needs.settings.metrics === null ? null : new TrafficMetrics(needs.clock)),
  });
  bindService(bind, services.leaseKeeper, {
    needs: { ledger, running, processId, clock, log },
    make: (ports: LeaseKeeperPorts) => new LeaseKeeper(ports),
  });
  bindService(bind, services.sweeper, { needs: { ledger, idempotency, clock, log }, make: (ports: SweeperPorts) => new Sweeper(ports) });
  bindService(bind, services.reconciler, {
    needs: { ledgerAudit: services.ledgerAudit, clock, log },
    make: (ports: ReconcilerPorts) => new Reconciler(ports),
  });
  bindService(bind, services.mailDelivery, {
    needs: { outbox: services.mailOutbox, mail: services.mail, clock, log },
    make: ({ mail, ...ports }: MailNeeds) => new MailDelivery({ ...ports, ...mail }),
  });
  bindService(bind, services.mailer, {
    needs: { outbox: services.mailOutbox, delivery: services.mailDelivery, ids: services.ids, clock },
    make: ({ delivery, ...ports }: MailerNeeds) => new QueuedMailer({ ...ports, onStored: () => delivery.wake() }),
  });
  bindService(bind, services.deletionRunner, {
    needs: { deletions: services.deletions, clock, log },
    make: (ports: DeletionRunnerPorts) => new DeletionRunner(ports),
  });
  bindService(bind, services.background, {
    needs: {
      log, running,
      settings: services.settings, connections: services.connections, exchanges: services.exchanges, limiter: services.limiter, limiterHealth: services.limiterHealth, walHealth: services.walHealth,
      logWriter: services.logWriter,
      upstreams: services.upstreams,
      outbox: services.outbox,
      leaseKeeper: services.leaseKeeper, sweeper: services.sweeper, reconciler: services.reconciler, mailDelivery: services.mailDelivery, deletionRunner: services.deletionRunner, traffic: services.traffic,
    },
    make: (parts: BackgroundParts) => new Background(parts),
  });
});
