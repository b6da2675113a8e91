import { idGeneratorContract } from '@tollgate/testkit';
import { SequentialIds } from './sequential-ids.js';

idGeneratorContract('sequential', () => new SequentialIds());
