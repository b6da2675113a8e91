import { join } from 'node:path';
import { truncateSync, statSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createGateway } from '../../src/composition/container.js';
import { StartRefused } from '../../src/http/server/start-refused.js';
import { onSmallDisk } from './support/small-disk.js';

/** Disk sizes that do not suffice for a start, from none to more than the schema needs. */
const ROOM_KIBIBYTES = [0, 16, 64, 256];

it.each(ROOM_KIBIBYTES)('a start with %d KiB of disk space is refused with one sentence that names the file and the cause', async (kibibytes) => {
  await onSmallDisk(async (disk) => {
    disk.fill();
    const filler = join(disk.folder, 'filler');
    truncateSync(filler, statSync(filler).size - kibibytes * 1024);
    const file = join(disk.folder, 'tollgate.db');
    const refused = await createGateway({ PORT: '0', LOG_LEVEL: 'silent', DATABASE_URL: `sqlite:${file}` }).catch((thrown: unknown) => thrown);
    expect(refused).toBeInstanceOf(StartRefused);
    expect((refused as StartRefused).problems).toEqual([expect.stringMatching(/^DATABASE_URL: cannot open the database file .*tollgate\.db: .*(disk is full|disk I\/O error|ENOSPC).*$/)]);
  });
});
