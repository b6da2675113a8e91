import express from 'express';
import { Container } from 'inversify';
import 'reflect-metadata';
import * as cli from '@tollgate/cli';
import * as siege from '../../../../../tools/siege/src/main.js';
import * as importer from './circle/importer.js';
import { imported } from './permitted/imported.js';
