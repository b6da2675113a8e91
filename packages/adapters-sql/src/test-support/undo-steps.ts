/** Takes the schema of a SQLite database back to before the anchor of the audit trail, and forgets that later steps were taken. */
export const UNDO_SINCE_AUDIT_ANCHOR = `
  ALTER TABLE api_keys DROP COLUMN models;
  DROP TABLE installation;
  DROP TABLE audit_anchor;
  ALTER TABLE audit_entries DROP COLUMN origin;
  ALTER TABLE audit_entries DROP COLUMN origin_user;
  DELETE FROM schema_migrations WHERE name >= '0006b-audit-anchor';
`;

/** The same, back to before incident limits had a time of setting. */
export const UNDO_SINCE_INCIDENT_SETTINGS = `${UNDO_SINCE_AUDIT_ANCHOR}
  ALTER TABLE incident_limits DROP COLUMN set_at;
  DELETE FROM schema_migrations WHERE name >= '0006a-incident-limit-settings';
`;
