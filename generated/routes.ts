// Made from openapi.yaml by openapi-backend and Ajv (npm run generate); edit openapi.yaml instead.
// @ts-nocheck: Ajv wrote the validators in JavaScript.
import type { Route, Routes } from '../src/api/routes.ts'
import { countCharacters, formats } from '../src/wire/json-schema.ts'
import type { SchemaError } from '../src/wire/schema-errors.ts'

const isGrantToken = validate0;
const func0 = countCharacters;

function validate0(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.grant_type === undefined) && (missing0 = "grant_type")){
validate0.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.grant_type !== undefined){
let data0 = data.grant_type;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 256){
validate0.errors = [{instancePath:instancePath+"/grant_type",schemaPath:"#/properties/grant_type/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/grant_type",schemaPath:"#/properties/grant_type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_id !== undefined){
let data1 = data.client_id;
const _errs3 = errors;
if(errors === _errs3){
if(typeof data1 === "string"){
if(func0(data1) > 1024){
validate0.errors = [{instancePath:instancePath+"/client_id",schemaPath:"#/properties/client_id/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/client_id",schemaPath:"#/properties/client_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_secret !== undefined){
let data2 = data.client_secret;
const _errs5 = errors;
if(errors === _errs5){
if(typeof data2 === "string"){
if(func0(data2) > 1024){
validate0.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"#/properties/client_secret/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"#/properties/client_secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs5 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.username !== undefined){
let data3 = data.username;
const _errs7 = errors;
if(errors === _errs7){
if(typeof data3 === "string"){
if(func0(data3) > 400){
validate0.errors = [{instancePath:instancePath+"/username",schemaPath:"#/properties/username/maxLength",keyword:"maxLength",params:{limit: 400}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/username",schemaPath:"#/properties/username/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.password !== undefined){
let data4 = data.password;
const _errs9 = errors;
if(errors === _errs9){
if(typeof data4 === "string"){
if(func0(data4) > 4096){
validate0.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/password",schemaPath:"#/properties/password/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.refresh_token !== undefined){
let data5 = data.refresh_token;
const _errs11 = errors;
if(errors === _errs11){
if(typeof data5 === "string"){
if(func0(data5) > 4096){
validate0.errors = [{instancePath:instancePath+"/refresh_token",schemaPath:"#/properties/refresh_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/refresh_token",schemaPath:"#/properties/refresh_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code !== undefined){
let data6 = data.code;
const _errs13 = errors;
if(errors === _errs13){
if(typeof data6 === "string"){
if(func0(data6) > 4096){
validate0.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/code",schemaPath:"#/properties/code/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.redirect_uri !== undefined){
let data7 = data.redirect_uri;
const _errs15 = errors;
if(errors === _errs15){
if(typeof data7 === "string"){
if(func0(data7) > 16384){
validate0.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"#/properties/redirect_uri/maxLength",keyword:"maxLength",params:{limit: 16384}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/redirect_uri",schemaPath:"#/properties/redirect_uri/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.code_verifier !== undefined){
let data8 = data.code_verifier;
const _errs17 = errors;
if(errors === _errs17){
if(typeof data8 === "string"){
if(func0(data8) > 4096){
validate0.errors = [{instancePath:instancePath+"/code_verifier",schemaPath:"#/properties/code_verifier/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
else {
validate0.errors = [{instancePath:instancePath+"/code_verifier",schemaPath:"#/properties/code_verifier/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs17 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate0.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate0.errors = vErrors;
return errors === 0;
}

const isRevokeToken = validate1;

function validate1(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.token === undefined) && (missing0 = "token")){
validate1.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.token !== undefined){
let data0 = data.token;
const _errs1 = errors;
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate1.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
else {
validate1.errors = [{instancePath:instancePath+"/token",schemaPath:"#/properties/token/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.token_type_hint !== undefined){
let data1 = data.token_type_hint;
const _errs3 = errors;
if((typeof data1 !== "string") && (data1 !== null)){
validate1.errors = [{instancePath:instancePath+"/token_type_hint",schemaPath:"#/properties/token_type_hint/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs3){
if(typeof data1 === "string"){
if(func0(data1) > 256){
validate1.errors = [{instancePath:instancePath+"/token_type_hint",schemaPath:"#/properties/token_type_hint/maxLength",keyword:"maxLength",params:{limit: 256}}];
return false;
}
}
}
var valid0 = _errs3 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_id !== undefined){
let data2 = data.client_id;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate1.errors = [{instancePath:instancePath+"/client_id",schemaPath:"#/properties/client_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs6){
if(typeof data2 === "string"){
if(func0(data2) > 1024){
validate1.errors = [{instancePath:instancePath+"/client_id",schemaPath:"#/properties/client_id/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.client_secret !== undefined){
let data3 = data.client_secret;
const _errs9 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate1.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"#/properties/client_secret/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs9){
if(typeof data3 === "string"){
if(func0(data3) > 1024){
validate1.errors = [{instancePath:instancePath+"/client_secret",schemaPath:"#/properties/client_secret/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate1.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate1.errors = vErrors;
return errors === 0;
}

const isGetSync = validate2;
const formats0 = formats.text;

function validate2(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(((((key0 === "from") || (key0 === "skip")) || (key0 === "limit")) || (key0 === "skip_id")) || (key0 === "wait"))){
validate2.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.from !== undefined){
let data0 = data.from;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate2.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate2.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skip !== undefined){
let data1 = data.skip;
const _errs4 = errors;
if(!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))){
validate2.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate2.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limit !== undefined){
let data2 = data.limit;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate2.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate2.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skip_id !== undefined){
let data3 = data.skip_id;
const _errs8 = errors;
if(errors === _errs8){
if(Array.isArray(data3)){
if(data3.length > 100000){
validate2.errors = [{instancePath:instancePath+"/skip_id",schemaPath:"#/properties/skip_id/maxItems",keyword:"maxItems",params:{limit: 100000}}];
return false;
}
else {
var valid1 = true;
const len0 = data3.length;
for(let i0=0; i0<len0; i0++){
let data4 = data3[i0];
const _errs10 = errors;
if(errors === _errs10){
if(errors === _errs10){
if(typeof data4 === "string"){
if(func0(data4) > 128){
validate2.errors = [{instancePath:instancePath+"/skip_id/" + i0,schemaPath:"#/properties/skip_id/items/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data4) < 1){
validate2.errors = [{instancePath:instancePath+"/skip_id/" + i0,schemaPath:"#/properties/skip_id/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data4))){
validate2.errors = [{instancePath:instancePath+"/skip_id/" + i0,schemaPath:"#/properties/skip_id/items/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/skip_id/" + i0,schemaPath:"#/properties/skip_id/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid1 = _errs10 === errors;
if(!valid1){
break;
}
}
}
}
else {
validate2.errors = [{instancePath:instancePath+"/skip_id",schemaPath:"#/properties/skip_id/type",keyword:"type",params:{type: "array"}}];
return false;
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.wait !== undefined){
let data5 = data.wait;
const _errs12 = errors;
if(!(((typeof data5 == "number") && (!(data5 % 1) && !isNaN(data5))) && (isFinite(data5)))){
validate2.errors = [{instancePath:instancePath+"/wait",schemaPath:"#/properties/wait/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs12){
if((typeof data5 == "number") && (isFinite(data5))){
if(data5 > 60 || isNaN(data5)){
validate2.errors = [{instancePath:instancePath+"/wait",schemaPath:"#/properties/wait/maximum",keyword:"maximum",params:{comparison: "<=", limit: 60}}];
return false;
}
else {
if(data5 < 1 || isNaN(data5)){
validate2.errors = [{instancePath:instancePath+"/wait",schemaPath:"#/properties/wait/minimum",keyword:"minimum",params:{comparison: ">=", limit: 1}}];
return false;
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
else {
validate2.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate2.errors = vErrors;
return errors === 0;
}

const isPostSync = validate3;
const schema3 = {"type":"object","properties":{"access_token":{"type":"string","nullable":true,"maxLength":4096},"from":{"type":"integer","format":"int64","nullable":true,"minimum":0},"skip":{"type":"integer","format":"int64","nullable":true,"minimum":0},"limit":{"type":"integer","format":"int64","nullable":true,"minimum":0},"new_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"object","required":["local_id","title"],"properties":{"local_id":{"oneOf":[{"type":"string","maxLength":1024,"format":"text"},{"type":"number","format":"double","minimum":-9007199254740991,"maximum":9007199254740991}]},"title":{"type":"string","maxLength":65536,"format":"text"},"tags":{"type":"string","nullable":true,"maxLength":65536,"format":"text"},"date":{"type":"number","format":"double","nullable":true},"url":{"type":"string","nullable":true,"maxLength":65536,"format":"text"},"html":{"type":"string","nullable":true,"maxLength":16777216,"format":"text"},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true}}}},"changed_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"object","required":["_id","title"],"properties":{"_id":{"type":"string","minLength":1,"maxLength":128,"format":"text"},"title":{"type":"string","maxLength":65536,"format":"text"},"tags":{"type":"string","nullable":true,"maxLength":65536,"format":"text"},"date":{"type":"number","format":"double","nullable":true},"url":{"type":"string","nullable":true,"maxLength":65536,"format":"text"},"html":{"type":"string","nullable":true,"maxLength":16777216,"format":"text"},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true}}}},"deleted_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"string","minLength":1,"maxLength":128,"format":"text"}},"tag":{"type":"object","nullable":true,"maxProperties":10000,"x-property-names":{"maxLength":1000,"format":"text"},"additionalProperties":{"type":"object","properties":{"favorite":{"type":"boolean","nullable":true},"color":{"oneOf":[{"type":"boolean","enum":[false]},{"type":"string","nullable":true,"pattern":"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"}]},"todo":{"oneOf":[{"type":"boolean","nullable":true},{"type":"string","enum":["strike","dont-strike"]}]}}}},"skip_id":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"string","minLength":1,"maxLength":128,"format":"text"}}}};
const keyword0 = {"propertyNames":{"maxLength":1000,"format":"text"}};
const pattern0 = new RegExp("^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$", "u");

function validate3(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate3.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate3.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.from !== undefined){
let data1 = data.from;
const _errs4 = errors;
if((!(((typeof data1 == "number") && (!(data1 % 1) && !isNaN(data1))) && (isFinite(data1)))) && (data1 !== null)){
validate3.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs4){
if((typeof data1 == "number") && (isFinite(data1))){
if(data1 < 0 || isNaN(data1)){
validate3.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skip !== undefined){
let data2 = data.skip;
const _errs7 = errors;
if((!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))) && (data2 !== null)){
validate3.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs7){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate3.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs7 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limit !== undefined){
let data3 = data.limit;
const _errs10 = errors;
if((!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))) && (data3 !== null)){
validate3.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs10){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate3.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs10 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.new_thing !== undefined){
let data4 = data.new_thing;
const _errs13 = errors;
if((!(Array.isArray(data4))) && (data4 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing",schemaPath:"#/properties/new_thing/type",keyword:"type",params:{type: "array"}}];
return false;
}
if(errors === _errs13){
if(Array.isArray(data4)){
if(data4.length > 100000){
validate3.errors = [{instancePath:instancePath+"/new_thing",schemaPath:"#/properties/new_thing/maxItems",keyword:"maxItems",params:{limit: 100000}}];
return false;
}
else {
var valid1 = true;
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
const _errs16 = errors;
if(errors === _errs16){
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
let missing0;
if(((data5.local_id === undefined) && (missing0 = "local_id")) || ((data5.title === undefined) && (missing0 = "title"))){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0,schemaPath:"#/properties/new_thing/items/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data5.local_id !== undefined){
let data6 = data5.local_id;
const _errs18 = errors;
const _errs19 = errors;
let valid3 = false;
let passing0 = null;
const _errs20 = errors;
if(errors === _errs20){
if(errors === _errs20){
if(typeof data6 === "string"){
if(func0(data6) > 1024){
const err0 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/0/maxLength",keyword:"maxLength",params:{limit: 1024}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
else {
if(!(formats0(data6))){
const err1 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/0/format",keyword:"format",params:{format: "text"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/0/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
var _valid0 = _errs20 === errors;
if(_valid0){
valid3 = true;
passing0 = 0;
}
const _errs22 = errors;
if(errors === _errs22){
if((typeof data6 == "number") && (isFinite(data6))){
if(data6 > 9007199254740991 || isNaN(data6)){
const err3 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/1/maximum",keyword:"maximum",params:{comparison: "<=", limit: 9007199254740991}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
else {
if(data6 < -9007199254740991 || isNaN(data6)){
const err4 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/1/minimum",keyword:"minimum",params:{comparison: ">=", limit: -9007199254740991}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf/1/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
var _valid0 = _errs22 === errors;
if(_valid0 && valid3){
valid3 = false;
passing0 = [passing0, 1];
}
else {
if(_valid0){
valid3 = true;
passing0 = 1;
}
}
if(!valid3){
const err6 = {instancePath:instancePath+"/new_thing/" + i0+"/local_id",schemaPath:"#/properties/new_thing/items/properties/local_id/oneOf",keyword:"oneOf",params:{passingSchemas: passing0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
validate3.errors = vErrors;
return false;
}
else {
errors = _errs19;
if(vErrors !== null){
if(_errs19){
vErrors.length = _errs19;
}
else {
vErrors = null;
}
}
}
var valid2 = _errs18 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.title !== undefined){
let data7 = data5.title;
const _errs24 = errors;
if(errors === _errs24){
if(errors === _errs24){
if(typeof data7 === "string"){
if(func0(data7) > 65536){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/title",schemaPath:"#/properties/new_thing/items/properties/title/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data7))){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/title",schemaPath:"#/properties/new_thing/items/properties/title/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/title",schemaPath:"#/properties/new_thing/items/properties/title/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid2 = _errs24 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.tags !== undefined){
let data8 = data5.tags;
const _errs26 = errors;
if((typeof data8 !== "string") && (data8 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/tags",schemaPath:"#/properties/new_thing/items/properties/tags/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs26){
if(errors === _errs26){
if(typeof data8 === "string"){
if(func0(data8) > 65536){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/tags",schemaPath:"#/properties/new_thing/items/properties/tags/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data8))){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/tags",schemaPath:"#/properties/new_thing/items/properties/tags/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid2 = _errs26 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.date !== undefined){
let data9 = data5.date;
const _errs29 = errors;
if((!((typeof data9 == "number") && (isFinite(data9)))) && (data9 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/date",schemaPath:"#/properties/new_thing/items/properties/date/type",keyword:"type",params:{type: "number"}}];
return false;
}
var valid2 = _errs29 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.url !== undefined){
let data10 = data5.url;
const _errs32 = errors;
if((typeof data10 !== "string") && (data10 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/url",schemaPath:"#/properties/new_thing/items/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs32){
if(errors === _errs32){
if(typeof data10 === "string"){
if(func0(data10) > 65536){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/url",schemaPath:"#/properties/new_thing/items/properties/url/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data10))){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/url",schemaPath:"#/properties/new_thing/items/properties/url/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid2 = _errs32 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.html !== undefined){
let data11 = data5.html;
const _errs35 = errors;
if((typeof data11 !== "string") && (data11 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/html",schemaPath:"#/properties/new_thing/items/properties/html/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs35){
if(errors === _errs35){
if(typeof data11 === "string"){
if(func0(data11) > 16777216){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/html",schemaPath:"#/properties/new_thing/items/properties/html/maxLength",keyword:"maxLength",params:{limit: 16777216}}];
return false;
}
else {
if(!(formats0(data11))){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/html",schemaPath:"#/properties/new_thing/items/properties/html/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid2 = _errs35 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.archived !== undefined){
let data12 = data5.archived;
const _errs38 = errors;
if((typeof data12 !== "boolean") && (data12 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/archived",schemaPath:"#/properties/new_thing/items/properties/archived/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs38 === errors;
}
else {
var valid2 = true;
}
if(valid2){
if(data5.todoStatus !== undefined){
let data13 = data5.todoStatus;
const _errs41 = errors;
if((typeof data13 !== "boolean") && (data13 !== null)){
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0+"/todoStatus",schemaPath:"#/properties/new_thing/items/properties/todoStatus/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid2 = _errs41 === errors;
}
else {
var valid2 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/new_thing/" + i0,schemaPath:"#/properties/new_thing/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid1 = _errs16 === errors;
if(!valid1){
break;
}
}
}
}
}
var valid0 = _errs13 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.changed_thing !== undefined){
let data14 = data.changed_thing;
const _errs44 = errors;
if((!(Array.isArray(data14))) && (data14 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing",schemaPath:"#/properties/changed_thing/type",keyword:"type",params:{type: "array"}}];
return false;
}
if(errors === _errs44){
if(Array.isArray(data14)){
if(data14.length > 100000){
validate3.errors = [{instancePath:instancePath+"/changed_thing",schemaPath:"#/properties/changed_thing/maxItems",keyword:"maxItems",params:{limit: 100000}}];
return false;
}
else {
var valid4 = true;
const len1 = data14.length;
for(let i1=0; i1<len1; i1++){
let data15 = data14[i1];
const _errs47 = errors;
if(errors === _errs47){
if(data15 && typeof data15 == "object" && !Array.isArray(data15)){
let missing1;
if(((data15._id === undefined) && (missing1 = "_id")) || ((data15.title === undefined) && (missing1 = "title"))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1,schemaPath:"#/properties/changed_thing/items/required",keyword:"required",params:{missingProperty: missing1}}];
return false;
}
else {
if(data15._id !== undefined){
let data16 = data15._id;
const _errs49 = errors;
if(errors === _errs49){
if(errors === _errs49){
if(typeof data16 === "string"){
if(func0(data16) > 128){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/_id",schemaPath:"#/properties/changed_thing/items/properties/_id/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data16) < 1){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/_id",schemaPath:"#/properties/changed_thing/items/properties/_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data16))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/_id",schemaPath:"#/properties/changed_thing/items/properties/_id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/_id",schemaPath:"#/properties/changed_thing/items/properties/_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid5 = _errs49 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.title !== undefined){
let data17 = data15.title;
const _errs51 = errors;
if(errors === _errs51){
if(errors === _errs51){
if(typeof data17 === "string"){
if(func0(data17) > 65536){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/title",schemaPath:"#/properties/changed_thing/items/properties/title/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data17))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/title",schemaPath:"#/properties/changed_thing/items/properties/title/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/title",schemaPath:"#/properties/changed_thing/items/properties/title/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid5 = _errs51 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.tags !== undefined){
let data18 = data15.tags;
const _errs53 = errors;
if((typeof data18 !== "string") && (data18 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/tags",schemaPath:"#/properties/changed_thing/items/properties/tags/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs53){
if(errors === _errs53){
if(typeof data18 === "string"){
if(func0(data18) > 65536){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/tags",schemaPath:"#/properties/changed_thing/items/properties/tags/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data18))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/tags",schemaPath:"#/properties/changed_thing/items/properties/tags/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid5 = _errs53 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.date !== undefined){
let data19 = data15.date;
const _errs56 = errors;
if((!((typeof data19 == "number") && (isFinite(data19)))) && (data19 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/date",schemaPath:"#/properties/changed_thing/items/properties/date/type",keyword:"type",params:{type: "number"}}];
return false;
}
var valid5 = _errs56 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.url !== undefined){
let data20 = data15.url;
const _errs59 = errors;
if((typeof data20 !== "string") && (data20 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/url",schemaPath:"#/properties/changed_thing/items/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs59){
if(errors === _errs59){
if(typeof data20 === "string"){
if(func0(data20) > 65536){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/url",schemaPath:"#/properties/changed_thing/items/properties/url/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data20))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/url",schemaPath:"#/properties/changed_thing/items/properties/url/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid5 = _errs59 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.html !== undefined){
let data21 = data15.html;
const _errs62 = errors;
if((typeof data21 !== "string") && (data21 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/html",schemaPath:"#/properties/changed_thing/items/properties/html/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs62){
if(errors === _errs62){
if(typeof data21 === "string"){
if(func0(data21) > 16777216){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/html",schemaPath:"#/properties/changed_thing/items/properties/html/maxLength",keyword:"maxLength",params:{limit: 16777216}}];
return false;
}
else {
if(!(formats0(data21))){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/html",schemaPath:"#/properties/changed_thing/items/properties/html/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid5 = _errs62 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.archived !== undefined){
let data22 = data15.archived;
const _errs65 = errors;
if((typeof data22 !== "boolean") && (data22 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/archived",schemaPath:"#/properties/changed_thing/items/properties/archived/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid5 = _errs65 === errors;
}
else {
var valid5 = true;
}
if(valid5){
if(data15.todoStatus !== undefined){
let data23 = data15.todoStatus;
const _errs68 = errors;
if((typeof data23 !== "boolean") && (data23 !== null)){
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1+"/todoStatus",schemaPath:"#/properties/changed_thing/items/properties/todoStatus/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid5 = _errs68 === errors;
}
else {
var valid5 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/changed_thing/" + i1,schemaPath:"#/properties/changed_thing/items/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid4 = _errs47 === errors;
if(!valid4){
break;
}
}
}
}
}
var valid0 = _errs44 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.deleted_thing !== undefined){
let data24 = data.deleted_thing;
const _errs71 = errors;
if((!(Array.isArray(data24))) && (data24 !== null)){
validate3.errors = [{instancePath:instancePath+"/deleted_thing",schemaPath:"#/properties/deleted_thing/type",keyword:"type",params:{type: "array"}}];
return false;
}
if(errors === _errs71){
if(Array.isArray(data24)){
if(data24.length > 100000){
validate3.errors = [{instancePath:instancePath+"/deleted_thing",schemaPath:"#/properties/deleted_thing/maxItems",keyword:"maxItems",params:{limit: 100000}}];
return false;
}
else {
var valid6 = true;
const len2 = data24.length;
for(let i2=0; i2<len2; i2++){
let data25 = data24[i2];
const _errs74 = errors;
if(errors === _errs74){
if(errors === _errs74){
if(typeof data25 === "string"){
if(func0(data25) > 128){
validate3.errors = [{instancePath:instancePath+"/deleted_thing/" + i2,schemaPath:"#/properties/deleted_thing/items/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data25) < 1){
validate3.errors = [{instancePath:instancePath+"/deleted_thing/" + i2,schemaPath:"#/properties/deleted_thing/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data25))){
validate3.errors = [{instancePath:instancePath+"/deleted_thing/" + i2,schemaPath:"#/properties/deleted_thing/items/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/deleted_thing/" + i2,schemaPath:"#/properties/deleted_thing/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid6 = _errs74 === errors;
if(!valid6){
break;
}
}
}
}
}
var valid0 = _errs71 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tag !== undefined){
let data26 = data.tag;
const _errs76 = errors;
if((!(data26 && typeof data26 == "object" && !Array.isArray(data26))) && (data26 !== null)){
validate3.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/type",keyword:"type",params:{type: "object"}}];
return false;
}
const _errs80 = errors;
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
for(const key0 in data26){
const _errs81 = errors;
if(errors === _errs81){
if(typeof key0 === "string"){
if(func0(key0) > 1000){
const err7 = {instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/x-property-names/propertyNames/maxLength",keyword:"maxLength",params:{limit: 1000},propertyName:key0};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
else {
if(!(formats0(key0))){
const err8 = {instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/x-property-names/propertyNames/format",keyword:"format",params:{format: "text"},propertyName:key0};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
}
}
var valid8 = _errs81 === errors;
if(!valid8){
const err9 = {instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/x-property-names/propertyNames",keyword:"propertyNames",params:{propertyName: key0}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
break;
}
}
}
var valid7 = _errs80 === errors;
if(!valid7){
const err10 = {instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/x-property-names",keyword:"x-property-names",params:{}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
validate3.errors = vErrors;
return false;
}
if(errors === _errs76){
if(data26 && typeof data26 == "object" && !Array.isArray(data26)){
if(Object.keys(data26).length > 10000){
validate3.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/maxProperties",keyword:"maxProperties",params:{limit: 10000}}];
return false;
}
else {
for(const key1 in data26){
let data27 = data26[key1];
const _errs83 = errors;
if(errors === _errs83){
if(data27 && typeof data27 == "object" && !Array.isArray(data27)){
if(data27.favorite !== undefined){
let data28 = data27.favorite;
const _errs85 = errors;
if((typeof data28 !== "boolean") && (data28 !== null)){
validate3.errors = [{instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/favorite",schemaPath:"#/properties/tag/additionalProperties/properties/favorite/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid10 = _errs85 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data27.color !== undefined){
let data29 = data27.color;
const _errs88 = errors;
const _errs89 = errors;
let valid11 = false;
let passing1 = null;
const _errs90 = errors;
if(typeof data29 !== "boolean"){
const err11 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/color",schemaPath:"#/properties/tag/additionalProperties/properties/color/oneOf/0/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
if(!(data29 === false)){
const err12 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/color",schemaPath:"#/properties/tag/additionalProperties/properties/color/oneOf/0/enum",keyword:"enum",params:{allowedValues: schema3.properties.tag.additionalProperties.properties.color.oneOf[0].enum}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
var _valid1 = _errs90 === errors;
if(_valid1){
valid11 = true;
passing1 = 0;
}
const _errs92 = errors;
if((typeof data29 !== "string") && (data29 !== null)){
const err13 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/color",schemaPath:"#/properties/tag/additionalProperties/properties/color/oneOf/1/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
if(errors === _errs92){
if(typeof data29 === "string"){
if(!pattern0.test(data29)){
const err14 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/color",schemaPath:"#/properties/tag/additionalProperties/properties/color/oneOf/1/pattern",keyword:"pattern",params:{pattern: "^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
}
}
var _valid1 = _errs92 === errors;
if(_valid1 && valid11){
valid11 = false;
passing1 = [passing1, 1];
}
else {
if(_valid1){
valid11 = true;
passing1 = 1;
}
}
if(!valid11){
const err15 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/color",schemaPath:"#/properties/tag/additionalProperties/properties/color/oneOf",keyword:"oneOf",params:{passingSchemas: passing1}};
if(vErrors === null){
vErrors = [err15];
}
else {
vErrors.push(err15);
}
errors++;
validate3.errors = vErrors;
return false;
}
else {
errors = _errs89;
if(vErrors !== null){
if(_errs89){
vErrors.length = _errs89;
}
else {
vErrors = null;
}
}
}
var valid10 = _errs88 === errors;
}
else {
var valid10 = true;
}
if(valid10){
if(data27.todo !== undefined){
let data30 = data27.todo;
const _errs95 = errors;
const _errs96 = errors;
let valid12 = false;
let passing2 = null;
const _errs97 = errors;
if((typeof data30 !== "boolean") && (data30 !== null)){
const err16 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/todo",schemaPath:"#/properties/tag/additionalProperties/properties/todo/oneOf/0/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err16];
}
else {
vErrors.push(err16);
}
errors++;
}
var _valid2 = _errs97 === errors;
if(_valid2){
valid12 = true;
passing2 = 0;
}
const _errs100 = errors;
if(typeof data30 !== "string"){
const err17 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/todo",schemaPath:"#/properties/tag/additionalProperties/properties/todo/oneOf/1/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err17];
}
else {
vErrors.push(err17);
}
errors++;
}
if(!((data30 === "strike") || (data30 === "dont-strike"))){
const err18 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/todo",schemaPath:"#/properties/tag/additionalProperties/properties/todo/oneOf/1/enum",keyword:"enum",params:{allowedValues: schema3.properties.tag.additionalProperties.properties.todo.oneOf[1].enum}};
if(vErrors === null){
vErrors = [err18];
}
else {
vErrors.push(err18);
}
errors++;
}
var _valid2 = _errs100 === errors;
if(_valid2 && valid12){
valid12 = false;
passing2 = [passing2, 1];
}
else {
if(_valid2){
valid12 = true;
passing2 = 1;
}
}
if(!valid12){
const err19 = {instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1")+"/todo",schemaPath:"#/properties/tag/additionalProperties/properties/todo/oneOf",keyword:"oneOf",params:{passingSchemas: passing2}};
if(vErrors === null){
vErrors = [err19];
}
else {
vErrors.push(err19);
}
errors++;
validate3.errors = vErrors;
return false;
}
else {
errors = _errs96;
if(vErrors !== null){
if(_errs96){
vErrors.length = _errs96;
}
else {
vErrors = null;
}
}
}
var valid10 = _errs95 === errors;
}
else {
var valid10 = true;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/tag/" + key1.replace(/~/g, "~0").replace(/\//g, "~1"),schemaPath:"#/properties/tag/additionalProperties/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
var valid9 = _errs83 === errors;
if(!valid9){
break;
}
}
}
}
}
var valid0 = _errs76 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skip_id !== undefined){
let data31 = data.skip_id;
const _errs102 = errors;
if((!(Array.isArray(data31))) && (data31 !== null)){
validate3.errors = [{instancePath:instancePath+"/skip_id",schemaPath:"#/properties/skip_id/type",keyword:"type",params:{type: "array"}}];
return false;
}
if(errors === _errs102){
if(Array.isArray(data31)){
if(data31.length > 100000){
validate3.errors = [{instancePath:instancePath+"/skip_id",schemaPath:"#/properties/skip_id/maxItems",keyword:"maxItems",params:{limit: 100000}}];
return false;
}
else {
var valid13 = true;
const len3 = data31.length;
for(let i3=0; i3<len3; i3++){
let data32 = data31[i3];
const _errs105 = errors;
if(errors === _errs105){
if(errors === _errs105){
if(typeof data32 === "string"){
if(func0(data32) > 128){
validate3.errors = [{instancePath:instancePath+"/skip_id/" + i3,schemaPath:"#/properties/skip_id/items/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data32) < 1){
validate3.errors = [{instancePath:instancePath+"/skip_id/" + i3,schemaPath:"#/properties/skip_id/items/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data32))){
validate3.errors = [{instancePath:instancePath+"/skip_id/" + i3,schemaPath:"#/properties/skip_id/items/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate3.errors = [{instancePath:instancePath+"/skip_id/" + i3,schemaPath:"#/properties/skip_id/items/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid13 = _errs105 === errors;
if(!valid13){
break;
}
}
}
}
}
var valid0 = _errs102 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
else {
validate3.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate3.errors = vErrors;
return errors === 0;
}

const isStreamEvents = validate4;

function validate4(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
for(const key0 in data){
validate4.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
else {
validate4.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate4.errors = vErrors;
return errors === 0;
}

const isGetTags = validate5;

function validate5(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "from")){
validate5.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.from !== undefined){
let data0 = data.from;
const _errs2 = errors;
if(!(((typeof data0 == "number") && (!(data0 % 1) && !isNaN(data0))) && (isFinite(data0)))){
validate5.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs2){
if((typeof data0 == "number") && (isFinite(data0))){
if(data0 < 0 || isNaN(data0)){
validate5.errors = [{instancePath:instancePath+"/from",schemaPath:"#/properties/from/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
}
}
}
else {
validate5.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate5.errors = vErrors;
return errors === 0;
}

const isAddThing = validate6;

function validate6(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.title === undefined) && (missing0 = "title")){
validate6.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate6.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate6.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
let data1 = data.title;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 65536){
validate6.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data1))){
validate6.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
else {
validate6.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data2 = data.tags;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate6.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(func0(data2) > 65536){
validate6.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data2))){
validate6.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.date !== undefined){
let data3 = data.date;
const _errs9 = errors;
if((!((typeof data3 == "number") && (isFinite(data3)))) && (data3 !== null)){
validate6.errors = [{instancePath:instancePath+"/date",schemaPath:"#/properties/date/type",keyword:"type",params:{type: "number"}}];
return false;
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
let data4 = data.url;
const _errs12 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate6.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs12){
if(errors === _errs12){
if(typeof data4 === "string"){
if(func0(data4) > 65536){
validate6.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data4))){
validate6.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.html !== undefined){
let data5 = data.html;
const _errs15 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate6.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs15){
if(errors === _errs15){
if(typeof data5 === "string"){
if(func0(data5) > 16777216){
validate6.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/maxLength",keyword:"maxLength",params:{limit: 16777216}}];
return false;
}
else {
if(!(formats0(data5))){
validate6.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.archived !== undefined){
let data6 = data.archived;
const _errs18 = errors;
if((typeof data6 !== "boolean") && (data6 !== null)){
validate6.errors = [{instancePath:instancePath+"/archived",schemaPath:"#/properties/archived/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.todoStatus !== undefined){
let data7 = data.todoStatus;
const _errs21 = errors;
if((typeof data7 !== "boolean") && (data7 !== null)){
validate6.errors = [{instancePath:instancePath+"/todoStatus",schemaPath:"#/properties/todoStatus/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.prevent_duplicate !== undefined){
let data8 = data.prevent_duplicate;
const _errs24 = errors;
if((typeof data8 !== "boolean") && (data8 !== null)){
validate6.errors = [{instancePath:instancePath+"/prevent_duplicate",schemaPath:"#/properties/prevent_duplicate/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate6.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate6.errors = vErrors;
return errors === 0;
}

const isChangeThing = validate7;

function validate7(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data._id === undefined) && (missing0 = "_id")){
validate7.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate7.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate7.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data._id !== undefined){
let data1 = data._id;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 128){
validate7.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data1) < 1){
validate7.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data1))){
validate7.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate7.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.title !== undefined){
let data2 = data.title;
const _errs6 = errors;
if((typeof data2 !== "string") && (data2 !== null)){
validate7.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(func0(data2) > 65536){
validate7.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data2))){
validate7.errors = [{instancePath:instancePath+"/title",schemaPath:"#/properties/title/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tags !== undefined){
let data3 = data.tags;
const _errs9 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate7.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs9){
if(errors === _errs9){
if(typeof data3 === "string"){
if(func0(data3) > 65536){
validate7.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data3))){
validate7.errors = [{instancePath:instancePath+"/tags",schemaPath:"#/properties/tags/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs9 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.date !== undefined){
let data4 = data.date;
const _errs12 = errors;
if((!((typeof data4 == "number") && (isFinite(data4)))) && (data4 !== null)){
validate7.errors = [{instancePath:instancePath+"/date",schemaPath:"#/properties/date/type",keyword:"type",params:{type: "number"}}];
return false;
}
var valid0 = _errs12 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.url !== undefined){
let data5 = data.url;
const _errs15 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate7.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs15){
if(errors === _errs15){
if(typeof data5 === "string"){
if(func0(data5) > 65536){
validate7.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/maxLength",keyword:"maxLength",params:{limit: 65536}}];
return false;
}
else {
if(!(formats0(data5))){
validate7.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs15 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.html !== undefined){
let data6 = data.html;
const _errs18 = errors;
if((typeof data6 !== "string") && (data6 !== null)){
validate7.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs18){
if(errors === _errs18){
if(typeof data6 === "string"){
if(func0(data6) > 16777216){
validate7.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/maxLength",keyword:"maxLength",params:{limit: 16777216}}];
return false;
}
else {
if(!(formats0(data6))){
validate7.errors = [{instancePath:instancePath+"/html",schemaPath:"#/properties/html/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs18 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.archived !== undefined){
let data7 = data.archived;
const _errs21 = errors;
if((typeof data7 !== "boolean") && (data7 !== null)){
validate7.errors = [{instancePath:instancePath+"/archived",schemaPath:"#/properties/archived/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs21 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.todoStatus !== undefined){
let data8 = data.todoStatus;
const _errs24 = errors;
if((typeof data8 !== "boolean") && (data8 !== null)){
validate7.errors = [{instancePath:instancePath+"/todoStatus",schemaPath:"#/properties/todoStatus/type",keyword:"type",params:{type: "boolean"}}];
return false;
}
var valid0 = _errs24 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
}
}
}
else {
validate7.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate7.errors = vErrors;
return errors === 0;
}

const isDeleteThing = validate8;

function validate8(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data._id === undefined) && (missing0 = "_id")){
validate8.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate8.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate8.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data._id !== undefined){
let data1 = data._id;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 128){
validate8.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data1) < 1){
validate8.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data1))){
validate8.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate8.errors = [{instancePath:instancePath+"/_id",schemaPath:"#/properties/_id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate8.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate8.errors = vErrors;
return errors === 0;
}

const isGetThings = validate9;
const pattern1 = new RegExp("^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$", "u");

function validate9(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
const _errs1 = errors;
for(const key0 in data){
if(!((((key0 === "archived") || (key0 === "tag")) || (key0 === "skip")) || (key0 === "limit"))){
validate9.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.archived !== undefined){
let data0 = data.archived;
const _errs2 = errors;
if(errors === _errs2){
if(typeof data0 === "string"){
if(!pattern1.test(data0)){
validate9.errors = [{instancePath:instancePath+"/archived",schemaPath:"#/properties/archived/pattern",keyword:"pattern",params:{pattern: "^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$"}}];
return false;
}
}
else {
validate9.errors = [{instancePath:instancePath+"/archived",schemaPath:"#/properties/archived/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
var valid0 = _errs2 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.tag !== undefined){
let data1 = data.tag;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 1024){
validate9.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
else {
if(!(formats0(data1))){
validate9.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
else {
validate9.errors = [{instancePath:instancePath+"/tag",schemaPath:"#/properties/tag/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.skip !== undefined){
let data2 = data.skip;
const _errs6 = errors;
if(!(((typeof data2 == "number") && (!(data2 % 1) && !isNaN(data2))) && (isFinite(data2)))){
validate9.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs6){
if((typeof data2 == "number") && (isFinite(data2))){
if(data2 < 0 || isNaN(data2)){
validate9.errors = [{instancePath:instancePath+"/skip",schemaPath:"#/properties/skip/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.limit !== undefined){
let data3 = data.limit;
const _errs8 = errors;
if(!(((typeof data3 == "number") && (!(data3 % 1) && !isNaN(data3))) && (isFinite(data3)))){
validate9.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/type",keyword:"type",params:{type: "integer"}}];
return false;
}
if(errors === _errs8){
if((typeof data3 == "number") && (isFinite(data3))){
if(data3 < 0 || isNaN(data3)){
validate9.errors = [{instancePath:instancePath+"/limit",schemaPath:"#/properties/limit/minimum",keyword:"minimum",params:{comparison: ">=", limit: 0}}];
return false;
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
else {
validate9.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate9.errors = vErrors;
return errors === 0;
}

const isPreviewLink = validate10;
const pattern2 = new RegExp("^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$", "u");

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.url === undefined) && (missing0 = "url")){
validate10.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
const _errs1 = errors;
for(const key0 in data){
if(!(key0 === "url")){
validate10.errors = [{instancePath,schemaPath:"#/additionalProperties",keyword:"additionalProperties",params:{additionalProperty: key0}}];
return false;
break;
}
}
if(_errs1 === errors){
if(data.url !== undefined){
let data0 = data.url;
const _errs2 = errors;
if(errors === _errs2){
if(errors === _errs2){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate10.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
else {
if(!pattern2.test(data0)){
validate10.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"}}];
return false;
}
}
}
else {
validate10.errors = [{instancePath:instancePath+"/url",schemaPath:"#/properties/url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
}
}
}
}
else {
validate10.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate10.errors = vErrors;
return errors === 0;
}

const isRevokeSession = validate11;

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if((data.id === undefined) && (missing0 = "id")){
validate11.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate11.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate11.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data1 = data.id;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 128){
validate11.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data1) < 1){
validate11.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data1))){
validate11.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate11.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
}
}
}
else {
validate11.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate11.errors = vErrors;
return errors === 0;
}

const isRegisterDevice = validate12;

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.id === undefined) && (missing0 = "id"))){
validate12.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate12.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate12.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data1 = data.type;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 128){
validate12.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data1) < 1){
validate12.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data1))){
validate12.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data2 = data.id;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(func0(data2) > 4096){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
else {
if(func0(data2) < 1){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data2))){
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate12.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.endpoint !== undefined){
let data3 = data.endpoint;
const _errs8 = errors;
if((typeof data3 !== "string") && (data3 !== null)){
validate12.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs8){
if(errors === _errs8){
if(typeof data3 === "string"){
if(func0(data3) > 4096){
validate12.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
else {
if(!pattern2.test(data3)){
validate12.errors = [{instancePath:instancePath+"/endpoint",schemaPath:"#/properties/endpoint/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"}}];
return false;
}
}
}
}
}
var valid0 = _errs8 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.p256dh !== undefined){
let data4 = data.p256dh;
const _errs11 = errors;
if((typeof data4 !== "string") && (data4 !== null)){
validate12.errors = [{instancePath:instancePath+"/p256dh",schemaPath:"#/properties/p256dh/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs11){
if(errors === _errs11){
if(typeof data4 === "string"){
if(func0(data4) > 1024){
validate12.errors = [{instancePath:instancePath+"/p256dh",schemaPath:"#/properties/p256dh/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
else {
if(!(formats0(data4))){
validate12.errors = [{instancePath:instancePath+"/p256dh",schemaPath:"#/properties/p256dh/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs11 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.auth !== undefined){
let data5 = data.auth;
const _errs14 = errors;
if((typeof data5 !== "string") && (data5 !== null)){
validate12.errors = [{instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs14){
if(errors === _errs14){
if(typeof data5 === "string"){
if(func0(data5) > 1024){
validate12.errors = [{instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/maxLength",keyword:"maxLength",params:{limit: 1024}}];
return false;
}
else {
if(!(formats0(data5))){
validate12.errors = [{instancePath:instancePath+"/auth",schemaPath:"#/properties/auth/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
}
var valid0 = _errs14 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
}
}
}
else {
validate12.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate12.errors = vErrors;
return errors === 0;
}

const isUnregisterDevice = validate13;

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.type === undefined) && (missing0 = "type")) || ((data.id === undefined) && (missing0 = "id"))){
validate13.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate13.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate13.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.type !== undefined){
let data1 = data.type;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 128){
validate13.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/maxLength",keyword:"maxLength",params:{limit: 128}}];
return false;
}
else {
if(func0(data1) < 1){
validate13.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data1))){
validate13.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.id !== undefined){
let data2 = data.id;
const _errs6 = errors;
if(errors === _errs6){
if(errors === _errs6){
if(typeof data2 === "string"){
if(func0(data2) > 4096){
validate13.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
else {
if(func0(data2) < 1){
validate13.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/minLength",keyword:"minLength",params:{limit: 1}}];
return false;
}
else {
if(!(formats0(data2))){
validate13.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/format",keyword:"format",params:{format: "text"}}];
return false;
}
}
}
}
else {
validate13.errors = [{instancePath:instancePath+"/id",schemaPath:"#/properties/id/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate13.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate13.errors = vErrors;
return errors === 0;
}

const isRegisterWebhook = validate14;
const schema14 = {"type":"object","required":["target_url","event"],"properties":{"access_token":{"type":"string","nullable":true,"maxLength":4096},"target_url":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$","maxLength":2048,"format":"web-address"},"event":{"type":"string","enum":["new_thing","changed_thing","deleted_thing","tag","any"]}}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
let missing0;
if(((data.target_url === undefined) && (missing0 = "target_url")) || ((data.event === undefined) && (missing0 = "event"))){
validate14.errors = [{instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: missing0}}];
return false;
}
else {
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate14.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate14.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
var valid0 = _errs1 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.target_url !== undefined){
let data1 = data.target_url;
const _errs4 = errors;
if(errors === _errs4){
if(errors === _errs4){
if(typeof data1 === "string"){
if(func0(data1) > 2048){
validate14.errors = [{instancePath:instancePath+"/target_url",schemaPath:"#/properties/target_url/maxLength",keyword:"maxLength",params:{limit: 2048}}];
return false;
}
else {
if(!pattern2.test(data1)){
validate14.errors = [{instancePath:instancePath+"/target_url",schemaPath:"#/properties/target_url/pattern",keyword:"pattern",params:{pattern: "^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"}}];
return false;
}
}
}
else {
validate14.errors = [{instancePath:instancePath+"/target_url",schemaPath:"#/properties/target_url/type",keyword:"type",params:{type: "string"}}];
return false;
}
}
}
var valid0 = _errs4 === errors;
}
else {
var valid0 = true;
}
if(valid0){
if(data.event !== undefined){
let data2 = data.event;
const _errs6 = errors;
if(typeof data2 !== "string"){
validate14.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(!(((((data2 === "new_thing") || (data2 === "changed_thing")) || (data2 === "deleted_thing")) || (data2 === "tag")) || (data2 === "any"))){
validate14.errors = [{instancePath:instancePath+"/event",schemaPath:"#/properties/event/enum",keyword:"enum",params:{allowedValues: schema14.properties.event.enum}}];
return false;
}
var valid0 = _errs6 === errors;
}
else {
var valid0 = true;
}
}
}
}
}
else {
validate14.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate14.errors = vErrors;
return errors === 0;
}

const isPostTest = validate15;

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(errors === 0){
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.access_token !== undefined){
let data0 = data.access_token;
const _errs1 = errors;
if((typeof data0 !== "string") && (data0 !== null)){
validate15.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/type",keyword:"type",params:{type: "string"}}];
return false;
}
if(errors === _errs1){
if(typeof data0 === "string"){
if(func0(data0) > 4096){
validate15.errors = [{instancePath:instancePath+"/access_token",schemaPath:"#/properties/access_token/maxLength",keyword:"maxLength",params:{limit: 4096}}];
return false;
}
}
}
}
}
else {
validate15.errors = [{instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}}];
return false;
}
}
validate15.errors = vErrors;
return errors === 0;
}

/** The version of the interface: `info.version` of the document. */
export const contractVersion = "1.0.0"

const none: readonly SchemaError[] = []

/** The operations of the document by path and method. */
export const routes: Routes = new Map([
  ["/token", new Map<string, Route>([
    ["POST", {
      operationId: "grantToken",
      path: "/token",
      needsToken: false,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"grant_type":{"type":"string"},"client_id":{"type":"string"},"client_secret":{"type":"string"},"username":{"type":"string"},"password":{"type":"string"},"refresh_token":{"type":"string"},"code":{"type":"string"},"redirect_uri":{"type":"string"},"code_verifier":{"type":"string"}}},
      bodyTypes: ["application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isGrantToken(parameters) ? none : isGrantToken.errors),
    }],
  ])],
  ["/revoke", new Map<string, Route>([
    ["POST", {
      operationId: "revokeToken",
      path: "/revoke",
      needsToken: false,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"token":{"type":"string"},"token_type_hint":{"type":"string","nullable":true},"client_id":{"type":"string","nullable":true},"client_secret":{"type":"string","nullable":true}}},
      bodyTypes: ["application/x-www-form-urlencoded","application/json"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRevokeToken(parameters) ? none : isRevokeToken.errors),
    }],
  ])],
  ["/sync", new Map<string, Route>([
    ["GET", {
      operationId: "getSync",
      path: "/sync",
      needsToken: true,
      querySchema: {"type":"object","properties":{"from":{"type":"integer"},"skip":{"type":"integer"},"limit":{"type":"integer"},"skip_id":{"type":"array","maxItems":100000,"items":{"type":"string"}},"wait":{"type":"integer"}}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set(["new_thing","changed_thing","deleted_thing","tag"]),
      hasGet: true,
      validate: (parameters) => (isGetSync(parameters) ? none : isGetSync.errors),
    }],
    ["POST", {
      operationId: "postSync",
      path: "/sync",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"from":{"type":"integer","nullable":true},"skip":{"type":"integer","nullable":true},"limit":{"type":"integer","nullable":true},"new_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"object","properties":{"local_id":{"oneOf":[{"type":"string"},{"type":"number"}]},"title":{"type":"string"},"tags":{"type":"string","nullable":true},"date":{"type":"number","nullable":true},"url":{"type":"string","nullable":true},"html":{"type":"string","nullable":true},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true}}}},"changed_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"object","properties":{"_id":{"type":"string"},"title":{"type":"string"},"tags":{"type":"string","nullable":true},"date":{"type":"number","nullable":true},"url":{"type":"string","nullable":true},"html":{"type":"string","nullable":true},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true}}}},"deleted_thing":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"string"}},"tag":{"type":"object","nullable":true,"maxProperties":10000,"additionalProperties":{"type":"object","properties":{"favorite":{"type":"boolean","nullable":true},"color":{"oneOf":[{"type":"boolean","enum":[false]},{"type":"string","nullable":true,"pattern":"^#([0-9A-Fa-f]{3}|[0-9A-Fa-f]{6})$"}]},"todo":{"oneOf":[{"type":"boolean","nullable":true},{"type":"string","enum":["strike","dont-strike"]}]}}}},"skip_id":{"type":"array","nullable":true,"maxItems":100000,"items":{"type":"string"}}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set(["new_thing","changed_thing","deleted_thing","tag"]),
      hasGet: true,
      validate: (parameters) => (isPostSync(parameters) ? none : isPostSync.errors),
    }],
  ])],
  ["/sync/events", new Map<string, Route>([
    ["GET", {
      operationId: "streamEvents",
      path: "/sync/events",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/tags/get", new Map<string, Route>([
    ["GET", {
      operationId: "getTags",
      path: "/tags/get",
      needsToken: true,
      querySchema: {"type":"object","properties":{"from":{"type":"integer"}}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isGetTags(parameters) ? none : isGetTags.errors),
    }],
  ])],
  ["/thing/add", new Map<string, Route>([
    ["POST", {
      operationId: "addThing",
      path: "/thing/add",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"title":{"type":"string"},"tags":{"type":"string","nullable":true},"date":{"type":"number","nullable":true},"url":{"type":"string","nullable":true},"html":{"type":"string","nullable":true},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true},"prevent_duplicate":{"type":"boolean","nullable":true}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isAddThing(parameters) ? none : isAddThing.errors),
    }],
  ])],
  ["/thing/change", new Map<string, Route>([
    ["POST", {
      operationId: "changeThing",
      path: "/thing/change",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"_id":{"type":"string"},"title":{"type":"string","nullable":true},"tags":{"type":"string","nullable":true},"date":{"type":"number","nullable":true},"url":{"type":"string","nullable":true},"html":{"type":"string","nullable":true},"archived":{"type":"boolean","nullable":true},"todoStatus":{"type":"boolean","nullable":true}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isChangeThing(parameters) ? none : isChangeThing.errors),
    }],
  ])],
  ["/thing/delete", new Map<string, Route>([
    ["POST", {
      operationId: "deleteThing",
      path: "/thing/delete",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"_id":{"type":"string"}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isDeleteThing(parameters) ? none : isDeleteThing.errors),
    }],
  ])],
  ["/things/get", new Map<string, Route>([
    ["GET", {
      operationId: "getThings",
      path: "/things/get",
      needsToken: true,
      querySchema: {"type":"object","properties":{"archived":{"type":"string","pattern":"^([Ff][Aa][Ll][Ss][Ee]|[Tt][Rr][Uu][Ee]|0|1|include)$"},"tag":{"type":"string"},"skip":{"type":"integer"},"limit":{"type":"integer"}}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isGetThings(parameters) ? none : isGetThings.errors),
    }],
  ])],
  ["/link/preview", new Map<string, Route>([
    ["GET", {
      operationId: "previewLink",
      path: "/link/preview",
      needsToken: true,
      querySchema: {"type":"object","properties":{"url":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"}}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isPreviewLink(parameters) ? none : isPreviewLink.errors),
    }],
  ])],
  ["/user/get", new Map<string, Route>([
    ["GET", {
      operationId: "getUser",
      path: "/user/get",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/session/list", new Map<string, Route>([
    ["GET", {
      operationId: "listSessions",
      path: "/session/list",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/session/revoke", new Map<string, Route>([
    ["POST", {
      operationId: "revokeSession",
      path: "/session/revoke",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"id":{"type":"string"}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRevokeSession(parameters) ? none : isRevokeSession.errors),
    }],
  ])],
  ["/register/device", new Map<string, Route>([
    ["POST", {
      operationId: "registerDevice",
      path: "/register/device",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"type":{"type":"string"},"id":{"type":"string"},"endpoint":{"type":"string","nullable":true,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"},"p256dh":{"type":"string","nullable":true},"auth":{"type":"string","nullable":true}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRegisterDevice(parameters) ? none : isRegisterDevice.errors),
    }],
  ])],
  ["/device/register", new Map<string, Route>([
    ["POST", {
      operationId: "registerDeviceAlias",
      path: "/device/register",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"type":{"type":"string"},"id":{"type":"string"},"endpoint":{"type":"string","nullable":true,"pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"},"p256dh":{"type":"string","nullable":true},"auth":{"type":"string","nullable":true}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRegisterDevice(parameters) ? none : isRegisterDevice.errors),
    }],
  ])],
  ["/unregister/device", new Map<string, Route>([
    ["POST", {
      operationId: "unregisterDevice",
      path: "/unregister/device",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"type":{"type":"string"},"id":{"type":"string"}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isUnregisterDevice(parameters) ? none : isUnregisterDevice.errors),
    }],
  ])],
  ["/device/unregister", new Map<string, Route>([
    ["POST", {
      operationId: "unregisterDeviceAlias",
      path: "/device/unregister",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"type":{"type":"string"},"id":{"type":"string"}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isUnregisterDevice(parameters) ? none : isUnregisterDevice.errors),
    }],
  ])],
  ["/device/list", new Map<string, Route>([
    ["GET", {
      operationId: "listDevices",
      path: "/device/list",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/device/key", new Map<string, Route>([
    ["GET", {
      operationId: "getDeviceKey",
      path: "/device/key",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/webhook/register", new Map<string, Route>([
    ["POST", {
      operationId: "registerWebhook",
      path: "/webhook/register",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"target_url":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"},"event":{"type":"string","enum":["new_thing","changed_thing","deleted_thing","tag","any"]}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRegisterWebhook(parameters) ? none : isRegisterWebhook.errors),
    }],
  ])],
  ["/webhook/unregister", new Map<string, Route>([
    ["POST", {
      operationId: "unregisterWebhook",
      path: "/webhook/unregister",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{"target_url":{"type":"string","pattern":"^[Hh][Tt][Tt][Pp][Ss]?://[^\\s]+$"},"event":{"type":"string","enum":["new_thing","changed_thing","deleted_thing","tag","any"]}}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: false,
      validate: (parameters) => (isRegisterWebhook(parameters) ? none : isRegisterWebhook.errors),
    }],
  ])],
  ["/webhook/list", new Map<string, Route>([
    ["GET", {
      operationId: "listWebhooks",
      path: "/webhook/list",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
  ])],
  ["/test", new Map<string, Route>([
    ["GET", {
      operationId: "getTest",
      path: "/test",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: undefined,
      bodyTypes: [],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isStreamEvents(parameters) ? none : isStreamEvents.errors),
    }],
    ["POST", {
      operationId: "postTest",
      path: "/test",
      needsToken: true,
      querySchema: {"type":"object","properties":{}},
      bodySchema: {"type":"object","properties":{}},
      bodyTypes: ["application/json","application/x-www-form-urlencoded"],
      uploads: new Set([]),
      hasGet: true,
      validate: (parameters) => (isPostTest(parameters) ? none : isPostTest.errors),
    }],
  ])],
])
