/* tslint:disable */
/* eslint-disable */
export * from './ThingsyncApi.js';
