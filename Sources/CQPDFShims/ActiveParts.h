#pragma once

// Parts of a document that do something, or lead out of it, in places where no viewer has to look for them.

#include "PageWalk.h"

/// Reports the parts of that kind that a dictionary has, and removes them on request.
class ActiveParts
{
  public:
    ActiveParts(bool removes, jqpdf_take_part take, void *context) : removes(removes), take(take), context(context) {}

    /// Reports data in other files, and PostScript (ISO 32000-1, 7.3.8.2, 8.8.2, 8.10.4, 14.11.7).
    void examine(QPDFObjectHandle object)
    {
        bool isStream = object.isStream();
        auto dictionary = isStream ? object.getDict() : object;
        if (isStream && !dictionary.getKey("/F").isNull()) {
            drop(jqpdf_part_external, dictionary, {"/F", "/FFilter", "/FDecodeParms"});
        }
        if (!isStream) return;
        if (dictionary.getKey("/Ref").isDictionary()) drop(jqpdf_part_external, dictionary, {"/Ref"});
        if (dictionary.getKey("/OPI").isDictionary()) drop(jqpdf_part_external, dictionary, {"/OPI"});
        if (nameAt(dictionary, "/Subtype") == "/PS" || nameAt(dictionary, "/Subtype2") == "/PS") {
            drop(jqpdf_part_postscript, dictionary, {"/Subtype2", "/PS", "/Level1"});
            if (removes) empty(object);
        } else if (!dictionary.getKey("/PS").isNull() && nameAt(dictionary, "/Subtype") == "/Form") {
            drop(jqpdf_part_postscript, dictionary, {"/PS"});
        }
    }

    /// Takes actions and scripts from a dictionary, wherever it is, and the private data of programs.
    void dropHidden(QPDFObjectHandle dictionary)
    {
        auto pieces = dictionary.getKey("/PieceInfo");
        if (pieces.isDictionary()) {
            bool isOther = false;
            for (auto const &owner : pieces.getKeys()) {
                if (owner == "/jisui") continue;
                isOther = true;
                pieces.removeKey(owner);
            }
            if (isOther) take(context, jqpdf_part_private);
            if (pieces.getKeys().empty()) dictionary.removeKey("/PieceInfo");
        }
        auto script = dictionary.getKey("/JS");
        if (script.isString() || script.isStream()) {
            take(context, jqpdf_part_script);
            dictionary.removeKey("/JS");
            dictionary.removeKey("/S");
        } else if (isAction(dictionary)) {
            take(context, jqpdf_part_action);
            for (auto const &key : dictionary.getKeys()) dictionary.removeKey(key);
        }
    }

    /// Makes an XObject one that paints nothing.
    static void empty(QPDFObjectHandle stream)
    {
        auto dictionary = QPDFObjectHandle::newDictionary();
        dictionary.replaceKey("/Type", QPDFObjectHandle::newName("/XObject"));
        dictionary.replaceKey("/Subtype", QPDFObjectHandle::newName("/Form"));
        dictionary.replaceKey("/BBox", QPDFObjectHandle::parse("[0 0 0 0]"));
        stream.replaceDict(dictionary);
        stream.replaceStreamData("", QPDFObjectHandle::newNull(), QPDFObjectHandle::newNull());
    }

  private:
    bool removes;
    jqpdf_take_part take;
    void *context;

    void drop(jqpdf_part part, QPDFObjectHandle dictionary, std::vector<std::string> const &keys)
    {
        take(context, part);
        for (auto const &key : keys) {
            if (removes) dictionary.removeKey(key);
        }
    }

    /// Whether a dictionary is an action that leaves the document. The key that names its kind has other meanings too: tags
    /// have any name there, and a parent.
    static bool isAction(QPDFObjectHandle dictionary)
    {
        auto kind = nameAt(dictionary, "/S");
        if (kind.empty() || (dictionary.hasKey("/P") && nameAt(dictionary, "/Type") != "/Action")) return false;
        if (kind == "/URI") {
            auto address = dictionary.getKey("/URI");
            auto text = address.isString() ? address.getStringValue() : std::string();
            return !jqpdf_allows_address(text.data(), text.size());
        }
        static std::set<std::string> const kinds{
            "/JavaScript", "/Launch", "/SubmitForm", "/ImportData", "/GoToR", "/GoToE", "/Thread", "/Rendition",
            "/Movie", "/Sound", "/GoTo3DView", "/RichMediaExecute",
        };
        return kinds.count(kind) > 0;
    }
};
