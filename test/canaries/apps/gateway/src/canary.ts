import express from 'express';
import { Container } from 'inversify';
import 'reflect-metadata';
import * as cli from '@tollgate/cli';
import * as siege from '@tollgate/siege';
