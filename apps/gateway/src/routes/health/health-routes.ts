import type { IRouter } from 'express';
import type { CatalogueSource } from '@tollgate/core';
import type { LeaseKeeper } from '../../background/lease-keeper.js';
import type { AdmissionGate } from '../../http/admission-gate.js';
import { answer } from '../../http/middleware/answer.js';
import { sendJson } from '../../http/reply/send-json.js';

export interface HealthPorts {
  readonly gate: AdmissionGate;
  /** Its renewals tell whether the store takes writes; strangers who ask for readiness cost it nothing. */
  readonly leaseKeeper: LeaseKeeper;
  readonly catalogue: CatalogueSource;
}

/** `GET /healthz`: the process lives. `GET /readyz`: it can serve. Open to anyone, also in maintenance, and telling nothing else. */
export function mountHealthRoutes(router: IRouter, { gate, leaseKeeper, catalogue }: HealthPorts): void {
  router.get('/healthz', answer((exchange) => sendJson(exchange, 200, { status: 'ok' })));
  router.get('/readyz', answer((exchange) => {
    const store = leaseKeeper.storeState;
    const models = catalogue.current().models.length > 0 ? 'ok' : 'none';
    const isReady = gate.isOpen && store === 'ok' && models === 'ok';
    const status = gate.isOpen ? 'unavailable' : 'stopping';
    sendJson(exchange, isReady ? 200 : 503, { status: isReady ? 'ready' : status, store, models });
  }));
}
