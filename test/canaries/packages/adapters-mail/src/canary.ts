import * as core from '@tollgate/core';
import { once } from 'node:events';
import { createTransport } from 'nodemailer';
import * as memory from '@tollgate/adapters-memory';
import { SMTPServer } from 'smtp-server';
