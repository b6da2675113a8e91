import * as core from '@tollgate/core';
import { once } from 'node:events';
import { openSync } from 'fontkit';
import { PDFDocument } from 'pdfkit';
import * as memory from '@tollgate/adapters-memory';
import { fetch } from 'undici';
