import type { EventId, EventPage, EventReading } from '@tollgate/core';
import { adminContract } from '@tollgate/api-contract';
import { encodeEvent, encodeEventPage } from '@tollgate/wire-kit';
import { unknownAddress } from '../../dashboard/call/unknown-address.js';
import { invalidField } from '../../dashboard/call/read-fields.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';
import { filteredAccount } from '../call/find-account.js';
import { cursorLost } from '../call/cursor-lost.js';

function pageIn(reading: EventReading): EventPage {
  switch (reading.outcome) {
    case 'page': return reading;
    case 'malformed': throw invalidField('after', 'must be the next_cursor of an earlier page');
    case 'lost': throw cursorLost('the event was removed after its time, or the database was restored');
  }
}

export function eventEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { events } = ports;
  return [
    adminEndpoint(adminContract.listEvents)(async ({ query: { after = null, limit, type = null, account } }) =>
      encodeEventPage(pageIn(await events.read({ after, limit, types: type, accountId: await filteredAccount({ account }, ports) })))),
    adminEndpoint(adminContract.readEvent)(async ({ params }) => {
      const event = await events.find(params.event_id as EventId);
      if (event === null) throw unknownAddress();
      return encodeEvent(event);
    }),
  ];
}
