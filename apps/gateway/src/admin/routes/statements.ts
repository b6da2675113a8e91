import { adminContract } from '@tollgate/api-contract';
import { findStatement, viewStatements } from '../../dashboard/routes/statements.js';
import { filteredAccount, findAccount } from '../call/find-account.js';
import type { AdminPorts } from '../call/admin-ports.js';
import { type AdminEndpoint, adminEndpoint } from '../call/admin-endpoint.js';

export function statementEndpoints(ports: AdminPorts): readonly AdminEndpoint[] {
  const { statements } = ports;
  return [
    adminEndpoint(adminContract.listStatements)(async ({ query: { account, ...page } }) => viewStatements(statements, await filteredAccount({ account }, ports), page)),
    adminEndpoint(adminContract.listAccountStatements)(async (call) => viewStatements(statements, (await findAccount(call, ports)).id, call.query)),
    adminEndpoint(adminContract.readStatement)(({ params }) => findStatement(statements, params.number, null)),
  ];
}
