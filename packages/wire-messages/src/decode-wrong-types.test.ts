import { fieldTypesContract, FULL_MESSAGES_REQUEST, MESSAGES_FIELDS } from '@tollgate/testkit';
import { messagesFormat } from './messages-format.js';

fieldTypesContract('messages', { format: messagesFormat, fields: MESSAGES_FIELDS, full: FULL_MESSAGES_REQUEST });
