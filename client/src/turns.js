"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createTurns = void 0;
/** Turns of their own. */
var createTurns = function () {
    var last = Promise.resolve();
    return function (work) {
        var next = last.then(work, work);
        last = next;
        return next;
    };
};
exports.createTurns = createTurns;
