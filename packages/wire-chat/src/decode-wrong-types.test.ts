import { CHAT_FIELDS, fieldTypesContract, FULL_CHAT_REQUEST } from '@tollgate/testkit';
import { chatFormat } from './chat-format.js';

fieldTypesContract('chat', { format: chatFormat, fields: CHAT_FIELDS, full: FULL_CHAT_REQUEST });
