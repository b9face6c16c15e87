#pragma once

// The structure elements of one document, created in the output.

#include "StructureMerge.h"

/// Creates the structure elements of one document in the output.
class StructureBuilder : public StructureVisitor
{
  public:
    StructureBuilder(jqpdf_structure &all, Part &part, QPDFObjectHandle sourceRoot, QPDFObjectHandle root)
        : all(all), part_(part), isOwn(part.source == all.target), root(root), import(*all.target, *part.source),
          naming(all.names, sourceRoot, [this](QPDFObjectHandle value) { return import(value); })
    {
        language = part.source->getRoot().getKey("/Lang");
        auto other = all.target->getRoot().getKey("/Lang");
        if (isOwn || !language.isString() || (other.isString() && other.getStringValue() == language.getStringValue())) {
            language = QPDFObjectHandle::newNull();
        }
    }

    void enter(QPDFObjectHandle element) override
    {
        Open next;
        next.element = element;
        bool staysItself = isOwn && element.isIndirect();
        next.made = staysItself ? element : all.target->makeIndirectObject(QPDFObjectHandle::newDictionary());
        next.page = element.hasKey("/Pg") ? element.getKey("/Pg") : open.empty() ? QPDFObjectHandle::newNull() : open.back().page;
        open.push_back(next);
    }

    void part(QPDFObjectHandle number) override { addContent(open.back().page, number); }

    void reference(QPDFObjectHandle kid) override
    {
        auto stream = kid.getKey("/Stm");
        auto page = kid.hasKey("/Pg") ? kid.getKey("/Pg") : open.back().page;
        addContent(stream.isStream() ? stream : page, kid.getKey("/MCID"));
    }

    void object(QPDFObjectHandle kid) override
    {
        auto &element = open.back();
        element.hadContent = true;
        auto holder = holderOf(kid.getKey("/Obj"));
        if (!holder || !holder->isWhole) return;
        // If several elements refer to the same object, its entry refers to the first.
        if (!holder->whole.isInitialized()) holder->whole = element.made;
        auto own = QPDFObjectHandle::newDictionary();
        own.replaceKey("/Type", QPDFObjectHandle::newName("/OBJR"));
        own.replaceKey("/Pg", holder->page);
        own.replaceKey("/Obj", holder->object);
        element.add(own);
    }

    void leave() override
    {
        auto done = open.back();
        open.pop_back();
        auto ownPage = done.element.getKey("/Pg");
        // An element that was already empty, on a page that is not kept, is removed.
        if (!done.hadContent && ownPage.isDictionary() && !holderOf(ownPage)) done.hadContent = true;
        bool isKept = !done.hadContent || done.hasContent;
        if (!open.empty()) {
            open.back().hadContent |= done.hadContent;
            open.back().hasContent |= done.hasContent;
        }
        if (!isKept) {
            if (isOwn && done.element.isIndirect()) {
                all.target->replaceObject(done.element.getObjGen(), QPDFObjectHandle::newNull());
            }
            return;
        }
        write(done);
        (open.empty() ? all.top : open.back().kids).push_back(done.made);
    }

    /// Must be called after all elements have been created.
    void finish()
    {
        for (auto &[from, to] : made) {
            naming.renameHeads(to);
            if (isOwn) continue;
            auto others = QPDFObjectHandle::newArray();
            for (auto &other : itemsOf(from, "/Ref")) {
                auto found = places.find(other.getObjGen());
                if (other.isIndirect() && found != places.end()) others.appendItem(found->second);
            }
            if (others.getArrayNItems() > 0) to.replaceKey("/Ref", others);
        }
    }

  private:
    /// An element during the walk.
    struct Open {
        QPDFObjectHandle element, made;
        /// The page of its content in its document, inherited from the parent element if it names none.
        QPDFObjectHandle page;
        /// The page that it names in the output.
        QPDFObjectHandle shown;
        std::vector<QPDFObjectHandle> kids;
        bool hadContent = false, hasContent = false;

        void add(QPDFObjectHandle kid)
        {
            kids.push_back(kid);
            hasContent = true;
        }
    };

    Holder *holderOf(QPDFObjectHandle object)
    {
        if (!object.isIndirect()) return nullptr;
        auto number = part_.numbers.find(object.getObjGen());
        if (number == part_.numbers.end()) return nullptr;
        auto found = all.holders.find(number->second);
        return found == all.holders.end() ? nullptr : &found->second;
    }

    void addContent(QPDFObjectHandle container, QPDFObjectHandle number)
    {
        auto &element = open.back();
        element.hadContent = true;
        auto holder = holderOf(container);
        if (!holder || holder->isWhole || !number.isInteger()) return;
        auto place = number.getIntValue();
        auto count = static_cast<int64_t>(holder->parts.size());
        if (place < 0 || place - count > all.gaps) return;
        if (place < count) {
            auto &taken = holder->parts[static_cast<size_t>(place)];
            if (!taken.isInitialized()) {
                taken = element.made;
                ++all.gaps;
            }
        } else {
            all.gaps -= place - count;
            holder->parts.resize(static_cast<size_t>(place));
            holder->parts.push_back(element.made);
        }
        bool isPage = !holder->object.isStream();
        if (isPage && !element.shown.isInitialized()) element.shown = holder->page;
        if (isPage && element.shown.getObjGen() == holder->page.getObjGen()) {
            return element.add(QPDFObjectHandle::newInteger(place));
        }
        auto own = QPDFObjectHandle::newDictionary();
        own.replaceKey("/Type", QPDFObjectHandle::newName("/MCR"));
        own.replaceKey("/Pg", holder->page);
        if (!isPage) own.replaceKey("/Stm", holder->object);
        own.replaceKey("/MCID", QPDFObjectHandle::newInteger(place));
        element.add(own);
    }

    void write(Open &done)
    {
        auto from = done.element, to = done.made;
        bool isItself = from.isIndirect() && isOwn;
        if (!isItself) {
            for (auto &[key, value] : from.getDictAsMap()) {
                if (key != "/K" && key != "/P" && key != "/Pg" && key != "/Ref") to.replaceKey(key, import(value));
            }
        }
        if (!done.shown.isInitialized()) {
            if (auto holder = holderOf(from.getKey("/Pg"))) done.shown = holder->page;
        }
        to.replaceKey("/P", open.empty() ? root : open.back().made);
        to.replaceKey("/Pg", done.shown.isInitialized() ? done.shown : QPDFObjectHandle::newNull());
        auto kids = done.kids.size() == 1 ? done.kids[0] : QPDFObjectHandle::newArray(done.kids);
        to.replaceKey("/K", done.kids.empty() ? QPDFObjectHandle::newNull() : kids);
        if (to.getKey("/NS").isDictionary()) {
            if (namespaces.insert(to.getKey("/NS").getObjGen()).second) all.namespaces.push_back(to.getKey("/NS"));
        } else {
            to.replaceKey("/S", QPDFObjectHandle::newName(naming.role(nameAt(from, "/S"))));
        }
        if (from.hasKey("/C")) to.replaceKey("/C", naming.classes(from.getKey("/C")));
        if (from.getKey("/ID").isString()) to.replaceKey("/ID", naming.name(from.getKey("/ID"), to));
        if (open.empty() && language.isString() && !to.hasKey("/Lang")) {
            to.replaceKey("/Lang", QPDFObjectHandle::newString(language.getStringValue()));
        }
        made.emplace_back(from, to);
        if (from.isIndirect()) places[from.getObjGen()] = to;
    }

    jqpdf_structure &all;
    Part &part_;
    bool isOwn;
    QPDFObjectHandle root;
    StructureImport import;
    StructureNaming naming;
    QPDFObjectHandle language;
    std::vector<Open> open;
    std::vector<std::pair<QPDFObjectHandle, QPDFObjectHandle>> made;
    std::map<QPDFObjGen, QPDFObjectHandle> places;
    std::set<QPDFObjGen> namespaces;
};
