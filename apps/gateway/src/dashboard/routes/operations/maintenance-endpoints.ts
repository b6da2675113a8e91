import { type BodyOf, contract, type ReplyOf } from '@tollgate/dashboard-contract';
import { hasExpired, incidentBanner, type IncidentLimit, incidentLimitProblem, type Maintenance, maintenanceBanner, maintenanceProblem, type ModelSlug, tokenCount } from '@tollgate/core';
import { encodeBanner, encodeMaintenance, encodeRecordedLimit } from '@tollgate/wire-kit';
import { actorOf } from '../../call/dashboard-call.js';
import type { DashboardPorts } from '../../call/dashboard-ports.js';
import { type DashboardEndpoint, endpoint } from '../../call/endpoint.js';
import { instantOf, invalidField, operatorText } from '../../call/operator-input.js';
import { unknownAddress } from '../../middleware/admit-visitor.js';

type EncodedMaintenance = ReplyOf<typeof contract.maintenance>;
type EncodedLimit = ReplyOf<typeof contract.setIncidentLimit>;

function maintenanceFrom(body: BodyOf<typeof contract.setMaintenance>, { clock }: DashboardPorts): Maintenance | null {
  if (body.state === 'off') return null;
  const now = clock.now();
  const maintenance = { startsAt: instantOf(body.from) ?? now, endsAt: instantOf(body.until), message: operatorText(body.message, 'message') };
  const problem = maintenanceProblem(maintenance, now);
  if (problem !== null) throw invalidField('until', problem);
  return maintenance;
}

function limitFrom(body: BodyOf<typeof contract.setIncidentLimit>, { clock, catalogue }: DashboardPorts): IncidentLimit {
  const model = catalogue.current().resolve(body.model);
  if (model === null) throw invalidField('model', 'there is no such model');
  const now = clock.now();
  const tokens = body.tokens_per_minute;
  const limit: IncidentLimit = {
    model: model.slug, setAt: now, requestsPerMinute: body.requests_per_minute, tokensPerMinute: tokens === null ? null : tokenCount(tokens),
    concurrentRequests: body.concurrent_requests, expiresAt: instantOf(body.expires_at),
  };
  const problem = incidentLimitProblem(limit, now);
  if (problem === 'limits-nothing') throw invalidField('requests_per_minute', 'at least one limit is needed');
  if (problem === 'expiry-in-the-past') throw invalidField('expires_at', 'is in the past');
  return limit;
}

/** What owners would see, told before it is set. */
function previewEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  return [
    endpoint(contract.previewMaintenance)(async ({ body }) => ({
      object: 'banner_preview', banner: encodeBanner(maintenanceBanner(maintenanceFrom(body, ports), ports.clock.now())),
    })),
    endpoint(contract.previewIncidentLimit)(async ({ body }) => ({ object: 'banner_preview', banner: encodeBanner(incidentBanner([limitFrom(body, ports)])) })),
  ];
}

/** Maintenance, and limits during incidents. */
export function maintenanceEndpoints(ports: DashboardPorts): readonly DashboardEndpoint[] {
  const { operations: { controls }, platform, catalogue, clock } = ports;
  const current = (): EncodedMaintenance => encodeMaintenance(platform.current().maintenance, clock.now()) as EncodedMaintenance;
  return [
    ...previewEndpoints(ports),
    endpoint(contract.maintenance)(async () => current()),
    endpoint(contract.setMaintenance)(async ({ body, call }) => {
      await controls.setMaintenance(maintenanceFrom(body, ports), { actor: actorOf(call, 'operator'), at: clock.now() });
      return current();
    }),
    endpoint(contract.listIncidentLimits)(async () => {
      const now = clock.now();
      const inForce = (await controls.listIncidentLimits()).filter((limit) => !hasExpired(limit, now));
      return { object: 'list', data: inForce.map((limit) => encodeRecordedLimit(limit) as EncodedLimit), has_more: false };
    }),
    endpoint(contract.setIncidentLimit)(async ({ body, call }) => {
      const limit = limitFrom(body, ports);
      const actor = actorOf(call, 'operator');
      await controls.setIncidentLimit(limit, { actor, at: clock.now() });
      return encodeRecordedLimit({ ...limit, setBy: actor.id }) as EncodedLimit;
    }),
    endpoint(contract.clearIncidentLimit)(async ({ params: { model }, call }) => {
      const by = { actor: actorOf(call, 'operator'), at: clock.now() };
      const slug = catalogue.current().resolve(model)?.slug ?? model as ModelSlug;
      // The limit of a model that has left the catalogue is cleared by its slug.
      if (!await controls.clearIncidentLimit(slug, by)) throw unknownAddress();
    }),
  ];
}
